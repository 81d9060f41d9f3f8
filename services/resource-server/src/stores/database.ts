import { type Sql, within } from "@partner-connect/database";
import { unavailable } from "../errors/api-error.ts";

export interface DatabaseOptions {
  /** Milliseconds that a caller waits for an answer, for a free connection included. */
  readonly timeout: number;
  /** Statements that may be under way; whoever comes beyond is sent away at once, instead of queueing up. */
  readonly most: number;
}

/**
 * Postgres, with a bound on the wait and on the crowd. A statement counts until it ended, also when nobody waits for it any
 * more: so a database that hangs is not met, when it is back, by everything that was asked meanwhile.
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
    if (this.#underWay >= this.#options.most) throw unavailable();
    this.#underWay++;
    const answer = Promise.resolve(query(this.#sql));
    const end = (): void => void this.#underWay--;
    answer.then(end, end);
    return await within(this.#options.timeout, answer);
  }
}
