import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A connection is looked at this many times before it counts as stalled, or more often: at least once a second. */
const LOOKS = 10;
const MOST_BETWEEN_LOOKS_MS = 1000;

/** Bytes that a caller takes of a waiting answer within the limit, if it is not the whole rest of it. */
export const LEAST_TAKEN = 1024 * 1024;

/** libuv's figures for a socket; Node's types don't have them. */
interface Handle {
  readonly bytesWritten: number;
  /** Those of them that the kernel hasn't taken yet. */
  readonly writeQueueSize: number;
}

/**
 * Closes a connection whose client takes less than {@link LEAST_TAKEN} of its answer in `stallMs`. One timer counts looks, not
 * milliseconds, so no client is blamed when this process stood still; Node's own `setTimeout` takes twice as long. The kernel takes
 * a large answer in steps of 1.5 MB, so a client that reads twice as much is never closed.
 */
export function cutOffStalled(app: FastifyInstance, stallMs: number, onCut: () => void): void {
  const connections = new Map<Socket, Pace>();
  app.server.on("connection", (socket) => {
    connections.set(socket, new Pace());
    socket.once("close", () => connections.delete(socket));
  });
  const between = Math.min(stallMs / LOOKS, MOST_BETWEEN_LOOKS_MS);
  const most = Math.ceil(stallMs / between);
  const look = (): void => {
    for (const [socket, pace] of connections) {
      const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
      const waiting = handle?.writeQueueSize ?? 0;
      const taken = (handle?.bytesWritten ?? 0) - waiting;
      if (pace.looksWithout(taken, waiting) < most) continue;
      onCut();
      // Frees the kernel's memory too; a plain end would wait for the client.
      socket.resetAndDestroy();
    }
  };
  const timer = setInterval(look, between).unref();
  app.server.once("close", () => clearInterval(timer));
}

/** How a connection's answers are taken: by the bytes that the kernel has taken in all, and those that wait for it. */
export class Pace {
  #since = 0;
  #looks = 0;

  /** Counts the looks in a row that found an answer waiting while the caller took less than {@link LEAST_TAKEN} of it. */
  looksWithout(taken: number, waiting: number): number {
    if (waiting === 0 || taken - this.#since >= LEAST_TAKEN) {
      this.#since = taken;
      this.#looks = 0;
    } else this.#looks++;
    return this.#looks;
  }
}
