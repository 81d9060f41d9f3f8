import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** What was begun may take so long to end, once the server closes; then it is cut off. */
const END_LIMIT_MS = 10_000;
const SWEEP_MS = 100;

interface Connection {
  /** Requests that are not answered to their last byte. */
  underWay: number;
  /** The latest of them. */
  latest: IncomingMessage | undefined;
  /** Requests that came in all. */
  requests: number;
  /** Waits for the answers under way. */
  answered: (() => void) | undefined;
}

/**
 * A server's connections, and what is under way on each. Node takes a connection for idle as soon as its answer was
 * handed over, and destroys it at a close with all that waits for a slow reader; so the close is done here: a connection
 * at rest is ended, not destroyed, and its peer closes it when it has read everything.
 */
export class OpenConnections {
  readonly #open = new Map<Socket, Connection>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#open.set(socket, { underWay: 0, latest: undefined, requests: 0, answered: undefined });
      socket.once("close", () => this.#open.delete(socket));
    });
    // Node and Fastify call it at the close.
    server.closeIdleConnections = () => this.#endResting();
  }

  /** False when the connection was ended before the request came: it can't be answered, and must not be carried out. */
  begin(request: IncomingMessage): boolean {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (!connection) return true;
    if (socket.writableEnded) {
      socket.destroy();
      return false;
    }
    connection.underWay++;
    connection.latest = request;
    connection.requests++;
    return true;
  }

  /** How many requests have come by this connection. */
  requestsOf(socket: Socket): number {
    return this.#open.get(socket)?.requests ?? 0;
  }

  end({ socket }: IncomingMessage): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.underWay--;
    if (connection.underWay === 0) connection.latest = undefined;
    connection.answered?.();
  }

  /** Runs `then` once all whole requests of the connection are answered: at once where there are none. */
  whenAnswered(socket: Socket, then: () => void): void {
    const connection = this.#open.get(socket);
    if (!connection) {
      then();
      return;
    }
    // Its parser fails again with each piece that comes.
    if (connection.answered) return;
    connection.answered = () => {
      // A request that is broken in its middle gets no answer of its own.
      if (connection.underWay > (connection.latest?.complete === false ? 1 : 0)) return;
      connection.answered = () => {};
      then();
    };
    connection.answered();
  }

  /**
   * The last answer of a connection that closes with it: Node would destroy it when the kernel has taken everything, and a
   * container takes with it what the kernel still has. So its peer is waited for.
   */
  linger(socket: Socket): void {
    socket.destroySoon = () => void socket.end();
  }

  /** Until the server has closed: ends what comes to rest, and after {@link END_LIMIT_MS} what is left. */
  endAll(server: Server): void {
    const sweep = setInterval(() => this.#endResting(), SWEEP_MS);
    const limit = setTimeout(() => {
      for (const socket of this.#open.keys()) socket.destroy();
    }, END_LIMIT_MS);
    server.once("close", () => {
      clearInterval(sweep);
      clearTimeout(limit);
    });
    this.#endResting();
  }

  #endResting(): void {
    for (const [socket, { underWay, requests }] of this.#open) {
      if (requests === 0) socket.destroy();
      else if (underWay === 0 && socket.writableLength === 0 && !socket.writableEnded) socket.end();
    }
  }
}
