import type { Logger } from "../logging/logger.ts";

interface MemoryCountsOptions<Row> {
  /** For the log: 'usage'. */
  readonly name: string;
  readonly logger: Logger;
  /** Adds to a row another one of the same key. */
  readonly merge: (row: Row, more: Row) => void;
  readonly store: (rows: readonly Row[]) => Promise<unknown>;
  /** Keys that are kept at a time; of further ones nothing is counted. */
  readonly max?: number;
}

/** How much of the counts a process that is killed takes with it. */
const EVERY_MS = 10_000;

/** Some 5 MB. Between two flushes there are fewer. This number is reached only while Postgres is away for long. */
const MAX_KEYS = 20_000;

/**
 * Counts by key in this process's memory, and stores that every ten seconds and at the close. No caller waits for it, and no call fails for
 * it. What could not be stored stays counted and is stored later. If only the store's answer was lost, it is added a second time: a count
 * may be too high after a fault, never too low.
 */
export class MemoryCounts<Row> {
  readonly #options: MemoryCountsOptions<Row>;
  #rows = new Map<string, Row>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: MemoryCountsOptions<Row>) {
    this.#options = options;
  }

  /** Keys that are counted now. */
  get size(): number {
    return this.#rows.size;
  }

  count(key: string, row: Row): void {
    const { merge, max = MAX_KEYS } = this.#options;
    const known = this.#rows.get(key);
    if (known) merge(known, row);
    else if (this.#rows.size < max) this.#rows.set(key, row);
    else this.#dropped++;
  }

  /** Everything that was counted; nothing of it is counted here any more. */
  take(): Row[] {
    return [...this.#takeAll().values()];
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), EVERY_MS).unref();
  }

  /** Stores what was counted until now, after whatever is being stored. Never rejects. */
  async flush(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#flush());
    await this.#underWay;
  }

  /** The last call has been answered: what is counted is stored, or lost. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #takeAll(): Map<string, Row> {
    const rows = this.#rows;
    this.#rows = new Map();
    return rows;
  }

  async #flush(): Promise<void> {
    const { name, logger, store } = this.#options;
    if (this.#dropped > 0) logger.warn({ dropped: this.#dropped }, `too much to count: some of ${name} was dropped`);
    this.#dropped = 0;
    const rows = this.#takeAll();
    if (rows.size === 0) return;
    try {
      await store([...rows.values()]);
    } catch (error) {
      for (const [key, row] of rows) this.count(key, row);
      logger.warn({ err: error, counts: rows.size }, `${name} could not be stored now; it is kept`);
    }
  }
}
