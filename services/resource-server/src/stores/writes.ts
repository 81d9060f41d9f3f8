import type { Sql } from "@partner-connect/database";
import { Turns } from "./turns.ts";

export interface WritesOptions {
  /** Milliseconds that a caller waits, first for the write's turn and then for the answer. */
  readonly timeout: number;
  /** Writes at a time. Each has a connection to itself: a statement pipelined behind a blocked one waits with it. */
  readonly connections: number;
}

/** Half of them may be one shop's. */
const MOST_WAITING = 100;

/**
 * Postgres, for statements that write. A shop has one write at a time. So a locked row delays its own shop's writes only, and
 * occupies one connection.
 */
export class Writes {
  readonly #sql: Sql;
  readonly #turns: Turns;

  constructor(sql: Sql, { timeout, connections }: WritesOptions) {
    this.#sql = sql;
    this.#turns = new Turns({
      timeout,
      ofShop: 1,
      inAll: connections,
      mostWaiting: MOST_WAITING,
      refusal: "too_many_writes",
    });
  }

  /** @throws {ApiError} 503 when too much waits, or a database fault */
  async run<T>(shopId: string, query: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return await this.#turns.take(shopId, () => query(this.#sql));
  }
}
