import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A connection is looked at this many times before it counts as stalled, or more often: at least once a second. */
const LOOKS = 10;
const MOST_BETWEEN_LOOKS_MS = 1000;

/** libuv's figures for a socket; Node's types don't have them. */
interface Handle {
  /** Bytes handed to libuv. */
  readonly bytesWritten: number;
  /** Those of them that the kernel hasn't taken yet. */
  readonly writeQueueSize: number;
}

interface Progress {
  /** Bytes that the kernel has taken. */
  taken: number;
  /** How many looks in a row found nothing more taken. */
  looks: number;
}

/**
 * Closes a connection whose client takes nothing of its answer for `stallMs`, be it a page, an export or anything else.
 *
 * One timer looks at all connections. It counts looks, not milliseconds, so that no client is blamed when this process
 * itself stood still. Node's own `socket.setTimeout` would take twice as long: its first round sees that the kernel took a
 * part of the answer when it was sent.
 *
 * The kernel takes a large answer in steps (1.5 MB with Linux's default `tcp_wmem`), each when the client has read about as
 * much. A client that reads less than such a step in `stallMs` counts as one that takes nothing.
 *
 * @param onCut is called for each closed connection, because there will be no answer to log
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
      // Frees the kernel's memory too; a plain end would wait for the client.
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
