import type { Clock } from "../clock.ts";
import { TokenLimitReached } from "../errors/index.ts";

export interface TokenTurnsOptions {
  readonly perMinute: number;
  /** Who would wait longer is told so at once. */
  readonly longestWaitMs: number;
  readonly clock: Clock;
}

interface Waiting {
  readonly connectionId: string | null;
  start(): void;
}

const MINUTE_MS = 60_000;

/** Who may call the token endpoint, and when: so many calls a minute, over all connections, in the order of asking. */
export class TokenTurns {
  readonly #options: TokenTurnsOptions;
  /** When each turn that was taken comes back. */
  #taken: number[] = [];
  #waiting: Waiting[] = [];
  #pausedUntil = 0;
  #serving = false;

  constructor(options: TokenTurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs `call` when it has a turn.
   *
   * @param first whether it goes before those who wait: a merchant waits for it, or it is a repetition
   * @throws {TokenLimitReached} at once
   */
  async run<T>(connectionId: string | null, call: () => Promise<T>, first: boolean, signal?: AbortSignal): Promise<T> {
    await this.#turn(connectionId, first, signal);
    const index = this.#taken.push(this.#options.clock.now() + MINUTE_MS) - 1;
    void index;
    return await call();
  }

  /** The server said to come later. */
  pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.clock.now() + seconds * 1000);
  }

  #turn(connectionId: string | null, first: boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const wait = this.#startOf(first ? 0 : this.#waiting.length) - this.#options.clock.now();
      if (wait > this.#options.longestWaitMs) {
        reject(
          new TokenLimitReached(
            connectionId,
            Math.ceil(wait / 1000),
            "more connections want a token than may be called for",
          ),
        );
        return;
      }
      const waiting = { connectionId, start: resolve };
      if (first) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    if (this.#serving) return;
    this.#serving = true;
    const { clock } = this.#options;
    while (this.#waiting.length > 0) {
      const wait = this.#startOf(0) - clock.now();
      if (wait > 0) await clock.sleep(wait);
      else {
        this.#waiting.shift()?.start();
        await Promise.resolve();
      }
    }
    this.#serving = false;
  }

  /** When the call with `before` others before it may start. */
  #startOf(before: number): number {
    const { clock, perMinute } = this.#options;
    const now = clock.now();
    this.#taken = this.#taken.filter((time) => time > now).sort((a, b) => a - b);
    const free = perMinute - this.#taken.length;
    const index = before - free;
    const start =
      before < free ? now : (this.#taken[index % perMinute] ?? now) + Math.floor(index / perMinute) * MINUTE_MS;
    return Math.max(start, this.#pausedUntil);
  }
}
