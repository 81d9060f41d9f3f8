import type { Logger } from "../logging/logger.ts";

/** What a process counts in its memory, until it is stored. */
export interface Counts<T> {
  /** All of it; nothing of it is counted there any more. */
  take(): T[];
  /** What could not be stored is counted again. */
  giveBack(counted: readonly T[]): void;
}

/** How much of the counts a process that is killed takes with it. */
const EVERY_MS = 10_000;

/**
 * Stores what was counted, every ten seconds and at the close. When the store can't take it, it stays counted and is stored
 * later. If only the answer was lost, that is added a second time: a count may be too high after a fault, never too low.
 */
export class CountsWriter<T> {
  readonly #counts: Counts<T>;
  readonly #add: (counted: readonly T[]) => Promise<unknown>;
  readonly #logger: Logger;
  readonly #what: string;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

  /** @param what for the log: 'usage' */
  constructor(counts: Counts<T>, add: (counted: readonly T[]) => Promise<unknown>, logger: Logger, what: string) {
    this.#counts = counts;
    this.#add = add;
    this.#logger = logger;
    this.#what = what;
  }

  start(everyMs: number = EVERY_MS): void {
    this.#timer = setInterval(() => void this.store(), everyMs).unref();
  }

  /** Stores what was counted until now, after whatever is being stored. Never rejects. */
  async store(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#store());
    await this.#underWay;
  }

  /** The last call has been answered: what is counted is stored, or lost. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  async #store(): Promise<void> {
    const counted = this.#counts.take();
    if (counted.length === 0) return;
    try {
      await this.#add(counted);
    } catch (error) {
      this.#counts.giveBack(counted);
      this.#logger.warn({ err: error, counts: counted.length }, `${this.#what} could not be stored now; it is kept`);
    }
  }
}
