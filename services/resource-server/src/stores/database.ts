import { type LentRow, type Queries, type RowReader, within } from "@partner-connect/database";
import type { Statement } from "../authorization/statement.ts";
import { unavailable } from "../errors/api-error.ts";

export interface DatabaseOptions {
  /** Milliseconds that a caller waits, first for a free connection and then for the answer. */
  readonly timeout: number;
  /** Statements that may run or wait at a time. One more is refused at once (503), so that no queue grows. */
  readonly maxStatements: number;
}

/**
 * Postgres, with a limit on how long callers wait and on how many statements there are at a time. A statement counts until
 * it ends, even if its caller has stopped waiting. So while the database hangs, statements don't pile up that it would have
 * to work off afterwards.
 */
export class Database {
  readonly #reader: RowReader;
  readonly #options: DatabaseOptions;
  #underWay = 0;

  constructor(reader: RowReader, options: DatabaseOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  /** @throws {ApiError} 503, or a database fault */
  async run<T>(query: (sql: Queries) => PromiseLike<T>): Promise<T> {
    return await this.#bounded(() => query(this.#reader.sql));
  }

  /**
   * Lends the statement's one row to `take`; never after the call, as what `take` makes of it would have no owner.
   * @throws {ApiError} 503, or a database fault, or what `take` throws
   */
  async readRow<T>({ text, values }: Statement, take: (row: LentRow) => T): Promise<T | undefined> {
    let isOver = false;
    const takeInTime = (row: LentRow): T | undefined => (isOver ? undefined : take(row));
    try {
      return await this.#bounded(() => this.#reader.readRow(text, values, takeInTime));
    } finally {
      isOver = true;
    }
  }

  async #bounded<T>(query: () => PromiseLike<T>): Promise<T> {
    if (this.#underWay >= this.#options.maxStatements) throw unavailable("too_many_statements");
    this.#underWay++;
    const answer = Promise.resolve(query());
    const end = (): void => void this.#underWay--;
    answer.then(end, end);
    return await within(this.#options.timeout, answer);
  }
}
