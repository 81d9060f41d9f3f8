import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How often is looked, in a stall; and at least so often, in milliseconds. */
const LOOKS = 10;
const MOST_BETWEEN_LOOKS_MS = 1000;

/** What libuv says of a socket; Node's types don't. */
interface Handle {
  /** Bytes given to libuv. */
  readonly bytesWritten: number;
  /** Those of them that the system hasn't taken yet. */
  readonly writeQueueSize: number;
}

interface Progress {
  taken: number;
  /** How often in a row nothing more had been taken. */
  looks: number;
}

/**
 * Cuts off who takes nothing of an answer for `stallMs`: a page, an export, or anything else. One timer looks at all
 * connections. Node's own time limit on sockets takes twice as long, as it sees in its first round that the system took a
 * part of the answer when it was sent. Looks are counted, not milliseconds: a process that stood still itself blames nobody.
 *
 * The system takes a large answer in steps (1.5 MB where `tcp_wmem` is Linux's default), each once the reader has
 * taken about as much. Whoever takes less than such a step in `stallMs` counts as one who takes nothing.
 *
 * @param onCut is told of each, as there will be no response to log
 */
export function cutOffStalled(app: FastifyInstance, stallMs: number, onCut: () => void): void {
  const connections = new Map<Socket, Progress>();
  app.server.on("connection", (socket) => {
    connections.set(socket, { taken: 0, looks: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  const between = Math.min(stallMs / LOOKS, MOST_BETWEEN_LOOKS_MS);
  const most = Math.ceil(stallMs / between);
  const look = (): void => {
    for (const [socket, progress] of connections) {
      if (looksWithoutProgress(socket, progress) < most) continue;
      onCut();
      // Frees the system's memory too, where a plain end would wait for the reader.
      socket.resetAndDestroy();
    }
  };
  const timer = setInterval(look, between).unref();
  app.server.once("close", () => clearInterval(timer));
}

function looksWithoutProgress(socket: Socket, progress: Progress): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  const waiting = handle?.writeQueueSize ?? 0;
  const taken = (handle?.bytesWritten ?? 0) - waiting;
  progress.looks = waiting > 0 && taken === progress.taken ? progress.looks + 1 : 0;
  progress.taken = taken;
  return progress.looks;
}
