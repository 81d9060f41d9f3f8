import { type Sql, within } from "@partner-connect/database";
import { unavailable } from "../errors/api-error.ts";

export interface WritesOptions {
  /** Milliseconds that a caller waits, first for the write's turn and then for the answer. */
  readonly timeout: number;
  /** Writes at a time. Each has a connection to itself: a statement pipelined behind a blocked one waits with it. */
  readonly connections: number;
}

/** Writes of one shop that may wait for their turn. */
const MAX_WAITING = 50;

interface Write {
  readonly shopId: string;
  /** Its promise settles when its statements have ended. */
  readonly begin: () => Promise<void>;
  /** Its caller has stopped waiting. */
  isAbandoned: boolean;
}

/**
 * Postgres, for statements that write. A shop has one write at a time, in the order in which they came; shops take turns.
 * So a locked row delays its own shop's writes only, and occupies one connection.
 */
export class Writes {
  readonly #sql: Sql;
  readonly #options: WritesOptions;
  /** By shop, for shops that have a write running or in `#next`: its later writes. */
  readonly #waiting = new Map<string, Write[]>();
  /** The writes that run next, at most one of a shop. */
  readonly #next: Write[] = [];
  #running = 0;

  constructor(sql: Sql, options: WritesOptions) {
    this.#sql = sql;
    this.#options = options;
  }

  /** @throws {ApiError} 503 when too much of this shop waits, or a database fault */
  async run<T>(shopId: string, query: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const begin = async (): Promise<void> => {
      try {
        resolve(await query(this.#sql));
      } catch (error) {
        reject(error);
      }
    };
    const write: Write = { shopId, begin, isAbandoned: false };
    const waiting = this.#waiting.get(shopId);
    if (waiting && waiting.length >= MAX_WAITING) throw unavailable("too_many_writes");
    if (waiting) waiting.push(write);
    else this.#admit(write);
    try {
      return await within(this.#options.timeout, promise);
    } finally {
      write.isAbandoned = true;
    }
  }

  #admit(write: Write): void {
    if (!this.#waiting.has(write.shopId)) this.#waiting.set(write.shopId, []);
    this.#next.push(write);
    this.#beginNext();
  }

  #beginNext(): void {
    while (this.#running < this.#options.connections) {
      const write = this.#next.shift();
      if (!write) return;
      if (write.isAbandoned) this.#end(write);
      else {
        this.#running++;
        void write.begin().then(() => {
          this.#running--;
          this.#end(write);
          this.#beginNext();
        });
      }
    }
  }

  /** The shop's next write takes its turn. */
  #end({ shopId }: Write): void {
    const next = this.#waiting.get(shopId)?.shift();
    if (next) this.#next.push(next);
    else this.#waiting.delete(shopId);
  }
}
