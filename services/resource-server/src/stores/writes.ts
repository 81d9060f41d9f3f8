import { type Sql, within } from "@partner-connect/database";
import { unavailable } from "../errors/api-error.ts";

export interface WritesOptions {
  /** Milliseconds that a caller waits for an answer, for the write's turn included. */
  readonly timeout: number;
  /** Writes at a time: each has a connection of the pool to itself, as what is behind a blocked statement waits with it. */
  readonly connections: number;
}

/** Writes of one shop that may wait for their turn. */
const MOST_WAITING = 50;

interface Write {
  readonly shopId: string;
  /** Settles when its statements have ended. */
  readonly begin: () => Promise<void>;
  /** Nobody waits for it any more. */
  isGivenUp: boolean;
}

/**
 * Postgres, for what writes: one write of a shop at a time, in the order in which they came, and the shops in turn. So a
 * row that is locked holds up the writes of its own shop alone, on one connection.
 */
export class Writes {
  readonly #sql: Sql;
  readonly #options: WritesOptions;
  /** Of the shops that write now: what waits behind. */
  readonly #behind = new Map<string, Write[]>();
  /** The next writes of shops that have none under way. */
  readonly #next: Write[] = [];
  #underWay = 0;

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
    const write: Write = { shopId, begin, isGivenUp: false };
    const behind = this.#behind.get(shopId);
    if (behind && behind.length >= MOST_WAITING) throw unavailable();
    if (behind) behind.push(write);
    else this.#admit(write);
    try {
      return await within(this.#options.timeout, promise);
    } finally {
      write.isGivenUp = true;
    }
  }

  #admit(write: Write): void {
    if (!this.#behind.has(write.shopId)) this.#behind.set(write.shopId, []);
    this.#next.push(write);
    this.#beginNext();
  }

  #beginNext(): void {
    while (this.#underWay < this.#options.connections) {
      const write = this.#next.shift();
      if (!write) return;
      if (write.isGivenUp) this.#end(write);
      else {
        this.#underWay++;
        void write.begin().then(() => {
          this.#underWay--;
          this.#end(write);
          this.#beginNext();
        });
      }
    }
  }

  /** The shop's next write takes its turn. */
  #end({ shopId }: Write): void {
    const next = this.#behind.get(shopId)?.shift();
    if (next) this.#next.push(next);
    else this.#behind.delete(shopId);
  }
}
