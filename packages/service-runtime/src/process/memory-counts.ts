import type { Logger } from "../logging/logger.ts";

interface MemoryCountsOptions<Row> {
  /** What is counted, for the log, such as 'usage'. */
  readonly name: string;
  readonly logger: Logger;
  /** Adds `more` to a row with the same key. */
  readonly merge: (row: Row, more: Row) => void;
  readonly store: (rows: readonly Row[]) => Promise<unknown>;
}

/** Flush interval, i.e. the most data lost if the process is killed. */
const EVERY_MS = 10_000;

/** The maximum number of keys, some 5 MB; only a long outage of Postgres reaches it. */
const MAX_KEYS = 20_000;

/**
 * Counts by key in memory, and stores the counts every ten seconds and at the close. No caller
 * waits or fails because of it. Counts that could not be stored are stored later. If only the
 * store's response was lost they are added twice: after a fault a count may be too high, never too
 * low.
 */
export class MemoryCounts<Row> {
  readonly #options: MemoryCountsOptions<Row>;
  readonly #rows = new Map<string, Row>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: MemoryCountsOptions<Row>) {
    this.#options = options;
  }

  /** Number of counted keys. */
  get size(): number {
    return this.#rows.size;
  }

  count(key: string, row: Row): void {
    const known = this.#rows.get(key);
    if (known) this.#options.merge(known, row);
    else if (this.#rows.size < MAX_KEYS) this.#rows.set(key, row);
    else this.#dropped++;
  }

  /** Returns and clears all counts. */
  take(): Row[] {
    const rows = [...this.#rows.values()];
    this.#rows.clear();
    return rows;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), EVERY_MS).unref();
  }

  /** Stores the counts, after any flush in progress. Never rejects. */
  async flush(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#flush());
    await this.#underWay;
  }

  /** Call it after the last request was answered. Stores the counts, or loses them. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #flush(): Promise<void> {
    const { name, logger, store } = this.#options;
    if (this.#dropped > 0)
      logger.warn({ dropped: this.#dropped }, `dropped some ${name}: more than ${MAX_KEYS} keys`);
    this.#dropped = 0;
    const rows = new Map(this.#rows);
    if (rows.size === 0) return;
    try {
      await store(this.take());
    } catch (error) {
      for (const [key, row] of rows) this.count(key, row);
      logger.warn({ err: error, counts: rows.size }, `could not store ${name}; retrying`);
    }
  }
}
