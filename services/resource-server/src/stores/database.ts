import { type Sql, within } from "@partner-connect/database";
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
  readonly #sql: Sql;
  readonly #options: DatabaseOptions;
  #underWay = 0;

  constructor(sql: Sql, options: DatabaseOptions) {
    this.#sql = sql;
    this.#options = options;
  }

  /** @throws {ApiError} 503, or a database fault */
  async run<T>(query: (sql: Sql) => PromiseLike<T>): Promise<T> {
    if (this.#underWay >= this.#options.maxStatements) throw unavailable();
    this.#underWay++;
    const answer = Promise.resolve(query(this.#sql));
    const end = (): void => void this.#underWay--;
    answer.then(end, end);
    return await within(this.#options.timeout, answer);
  }
}
