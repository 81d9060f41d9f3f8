import { TokenLimitReached } from "./errors.ts";
import type { Clock } from "./network.ts";

const MINUTE_MS = 60_000;

/**
 * The limit of token calls per minute, shared in FIFO order by exchanges and batches of refreshes.
 */
export class TokenLimit {
  readonly #clock: Clock;
  readonly #longestWaitMs: number;
  /** One per call that the limit allows in a minute. */
  readonly #slots: { freeAt: number }[];
  #pausedUntil = 0;
  #pauseMs = 0;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly perMinute: number;
    readonly longestWaitMs: number;
    readonly clock: Clock;
  }) {
    this.#clock = options.clock;
    this.#longestWaitMs = options.longestWaitMs;
    this.#slots = Array.from({ length: options.perMinute }, () => ({ freeAt: 0 }));
  }

  /**
   * Runs `call` when the limit allows it. @throws {TokenLimitReached} immediately, if the wait
   * would be too long
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const waitMs = this.#startOf(this.#waiting) - this.#clock.now();
    if (waitMs > this.#longestWaitMs) {
      const seconds = Math.max(1, Math.ceil(waitMs / 1000));
      const most = `this takes more than ${this.#slots.length} token calls a minute`;
      throw new TokenLimitReached(
        null,
        seconds,
        `${most}: the next one can be made in ${seconds} s`,
      );
    }
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#take());
    this.#last = turn;
    const slot = await turn;
    try {
      return await call();
    } finally {
      // The server counts the call at some moment between its start and its end.
      slot.freeAt = this.#clock.now() + MINUTE_MS;
    }
  }

  /** Delays all calls, as the server requested. */
  pause(seconds: number): void {
    const now = this.#clock.now();
    this.#pauseMs = Math.max(Math.min(this.#pausedUntil - now, this.#pauseMs), seconds * 1000);
    this.#pausedUntil = now + this.#pauseMs;
  }

  /** The fraction of a minute's calls that is used up. */
  usedFraction(): number {
    const now = this.#clock.now();
    return this.#slots.filter(({ freeAt }) => freeAt > now).length / this.#slots.length;
  }

  async #take(): Promise<{ freeAt: number }> {
    for (;;) {
      const waitMs = this.#startOf(0) - this.#clock.now();
      if (waitMs <= 0) break;
      await this.#clock.sleep(waitMs);
    }
    this.#waiting -= 1;
    const slot = this.#slots.reduce((first, other) =>
      other.freeAt < first.freeAt ? other : first,
    );
    slot.freeAt = this.#clock.now() + MINUTE_MS;
    return slot;
  }

  /** When a call behind `before` others may start. */
  #startOf(before: number): number {
    const now = this.#clock.now();
    // If the clock was set back, a pause isn't longer, and a slot is occupied for at most a minute.
    this.#pausedUntil = Math.min(this.#pausedUntil, now + this.#pauseMs);
    for (const slot of this.#slots) slot.freeAt = Math.min(slot.freeAt, now + MINUTE_MS);
    const starts = this.#slots
      .map(({ freeAt }) => Math.max(now, this.#pausedUntil, freeAt))
      .sort((a, b) => a - b);
    return (starts[before % starts.length] ?? now) + Math.floor(before / starts.length) * MINUTE_MS;
  }
}
