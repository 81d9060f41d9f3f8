import type { LentRow, Queries, RowReader, Sql } from "@partner-connect/database";
import type { Statement } from "../authorization/statement.ts";
import { Turns } from "./turns.ts";

interface Reads {
  readonly reader: RowReader;
  readonly turns: Turns;
}

interface DatabaseOptions {
  readonly ordinary: Reads;
  /** For rows that are so large that everything pipelined behind them would wait. */
  readonly large: Reads;
}

/** Bytes of a row from which on it is large: a connection keeps no buffer for it. */
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
    const { reader, turns } = this.#ordinary;
    return await turns.take(shopId, () => query(reader.sql));
  }

  /**
   * Calls `take` with the statement's one row, never after the call has ended. `expected`: its bytes, about. @throws {ApiError} 503, or a
   * database fault, or what `take` throws
   */
  async readRow<T>(
    shopId: string,
    { text, values }: Statement,
    take: (row: LentRow) => T,
    expected = 0,
  ): Promise<T | undefined> {
    const { reader, turns } = expected > LARGE ? this.#large : this.#ordinary;
    const weight = Math.max(Math.ceil(expected / LIGHT), 1);
    let isOver = false;
    const takeInTime = (row: LentRow): T | undefined => (isOver ? undefined : take(row));
    try {
      return await turns.take(shopId, () => reader.readRow(text, values, takeInTime), weight);
    } finally {
      isOver = true;
    }
  }
}

interface WritesOptions {
  /** Milliseconds that a caller waits, first for the write's turn and then for the answer. */
  readonly timeout: number;
  /** Writes at a time. Each has a connection to itself: a statement pipelined behind a blocked one waits with it. */
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
