import type { Queries, RawRow, Sql } from "@partner-connect/database";
import type { Statement } from "../authorization/statement.ts";
import { Turns } from "./turns.ts";

interface Reads {
  readonly sql: Sql;
  readonly turns: Turns;
}

interface DatabaseOptions {
  readonly ordinary: Reads;
  readonly large: Reads;
}

/** Bytes of a row from which on it is large. */
const LARGE = 2 * 1024 * 1024;

/** Bytes of a row up to which a read is as light as any: 50 ordinary records with room. With half of it, one caller got 8 % fewer of such pages a second. */
const LIGHT = 128 * 1024;

/**
 * Postgres, for statements that read. What callers wait for is limited, and what a shop and all have there at a time. A statement counts
 * until it ends, also after its caller stopped waiting, so nothing piles up while the database hangs.
 */
export class Database {
  readonly #ordinary: Reads;
  readonly #large: Reads;

  constructor({ ordinary, large }: DatabaseOptions) {
    this.#ordinary = ordinary;
    this.#large = large;
  }

  /** @throws {ApiError} 503, or a database fault */
  async run<T>(shopId: string, query: (sql: Queries) => PromiseLike<T>): Promise<T> {
    const { sql, turns } = this.#ordinary;
    return await turns.take(shopId, () => query(sql));
  }

  /** The statement's one row. `expected`: its bytes, about. @throws {ApiError} 503, or a database fault */
  async readRow(shopId: string, { text, values }: Statement, expected = 0): Promise<RawRow | undefined> {
    const { sql, turns } = expected > LARGE ? this.#large : this.#ordinary;
    const weight = Math.max(Math.ceil(expected / LIGHT), 1);
    const [row] = await turns.take(shopId, () => sql.unsafe(text, values, { prepare: true }).raw(), weight);
    return row;
  }
}

interface WritesOptions {
  /** Milliseconds that a caller waits, first for the write's turn and then for the answer. */
  readonly timeout: number;
  /** Writes at a time. */
  readonly connections: number;
}

/** Half of them may be one shop's. */
const MOST_WAITING = 100;

/** Postgres, for statements that write: one at a time for a shop, so a locked row delays its own shop only, and occupies one connection. */
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
