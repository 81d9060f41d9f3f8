import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { isLeaving } from "../process/process.ts";

/** At the close, how long requests under way may take to end. Then their connections are destroyed. */
const END_LIMIT_MS = 10_000;
const SWEEP_MS = 100;
/** After we ended a connection, how long its peer may take to close it. */
const PEER_LIMIT_MS = 1000;

interface Connection {
  /** Requests whose answers haven't been sent to their last byte. */
  underWay: number;
  latest: IncomingMessage | undefined;
  requests: number;
  onAnswered: (() => void) | undefined;
  waitsForPeer: boolean;
}

/**
 * A server's connections and their requests. To Node a connection is idle as soon as its answer was handed over, and a close
 * destroys it with what waits for a slow reader. Here it is idle when all has left the process, and is then ended, not destroyed.
 */
export class OpenConnections {
  readonly #open = new Map<Socket, Connection>();
  #isClosing = false;

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#open.set(socket, {
        underWay: 0,
        latest: undefined,
        requests: 0,
        onAnswered: undefined,
        waitsForPeer: false,
      });
      socket.once("close", () => this.#open.delete(socket));
      socket.once("finish", () => this.#destroyEnded(socket));
    });
    // Node and Fastify call it at the close.
    server.closeIdleConnections = () => this.#endIdle();
  }

  /** False if the connection was ended before the request came: it can't be answered, so it must not be carried out. */
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

  end({ socket }: IncomingMessage): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.underWay--;
    if (connection.underWay === 0) connection.latest = undefined;
    connection.onAnswered?.();
  }

  requestsOf(socket: Socket): number {
    return this.#open.get(socket)?.requests ?? 0;
  }

  /** Calls `then` once, when every whole request of the connection is answered. Calls it at once if there is none. */
  whenAnswered(socket: Socket, then: () => void): void {
    const connection = this.#open.get(socket);
    if (!connection) {
      then();
      return;
    }
    // The parser reports the same error again with each chunk that arrives.
    if (connection.onAnswered) return;
    connection.onAnswered = () => {
      // A request whose body is malformed never gets an answer of its own.
      const unanswerable = connection.latest?.complete === false ? 1 : 0;
      if (connection.underWay > unanswerable) return;
      connection.onAnswered = () => {};
      then();
    };
    connection.onAnswered();
  }

  /** For a connection that closes after its answer: it is ended, and closed by its peer. A container that stops would lose the rest. */
  waitForPeer(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.waitsForPeer = true;
    socket.destroySoon = () => void socket.end();
  }

  /** Ends each connection when it becomes idle, until the server has closed; destroys the rest after {@link END_LIMIT_MS}. */
  endAll(server: Server): void {
    this.#isClosing = true;
    const sweep = setInterval(() => this.#endIdle(), SWEEP_MS);
    const limit = setTimeout(() => {
      for (const socket of this.#open.keys()) socket.destroy();
    }, END_LIMIT_MS);
    server.once("close", () => {
      clearInterval(sweep);
      clearTimeout(limit);
    });
    this.#endIdle();
  }

  /** After our end Node waits for the peer's, for ever if the peer goes on sending. The kernel goes on delivering to a slow reader. */
  #destroyEnded(socket: Socket): void {
    const limit = setTimeout(() => {
      if (!this.#isClosing && !this.#open.get(socket)?.waitsForPeer) socket.destroy();
    }, PEER_LIMIT_MS).unref();
    socket.once("close", () => clearTimeout(limit));
  }

  #endIdle(): void {
    for (const [socket, { underWay, requests }] of this.#open) {
      if (requests === 0) socket.destroy();
      else if (underWay === 0 && socket.writableLength === 0 && !socket.writableEnded) socket.end();
    }
  }
}

export function countRequests(app: FastifyInstance, connections: OpenConnections): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (connections.begin(request.raw)) done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    connections.end(request.raw);
    done();
  });
  app.addHook("preClose", async () => connections.endAll(app.server));
}

/** When the process is leaving, closes a connection with its answer: its gateway then asks another replica. */
export function closeConnectionsWhenLeaving(app: FastifyInstance, connections: OpenConnections): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (isLeaving()) {
      reply.header("connection", "close");
      connections.waitForPeer(request.raw.socket);
    }
    done();
  });
}
