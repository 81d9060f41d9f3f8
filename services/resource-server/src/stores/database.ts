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
 * more: so a database that hangs is not met, when it is back, by everything that was asked meanwhile. A shop may have as
 * many under way as are then still free, so there is always room for others.
 */
export class Database {
  readonly #sql: Sql;
  readonly #options: DatabaseOptions;
  readonly #ofShops = new Map<string, number>();
  #underWay = 0;

  constructor(sql: Sql, options: DatabaseOptions) {
    this.#sql = sql;
    this.#options = options;
  }

  /**
   * @param shopId whose data is asked for; left out where that is not known yet
   * @throws {ApiError} 503, or a database fault
   */
  async run<T>(query: (sql: Sql) => PromiseLike<T>, shopId?: string): Promise<T> {
    const own = shopId === undefined ? 0 : (this.#ofShops.get(shopId) ?? 0);
    if (this.#underWay + own >= this.#options.most) throw unavailable();
    this.#count(shopId, 1);
    const answer = Promise.resolve(query(this.#sql));
    const end = (): void => this.#count(shopId, -1);
    answer.then(end, end);
    return await within(this.#options.timeout, answer);
  }

  #count(shopId: string | undefined, more: 1 | -1): void {
    this.#underWay += more;
    if (shopId === undefined) return;
    const own = (this.#ofShops.get(shopId) ?? 0) + more;
    if (own === 0) this.#ofShops.delete(shopId);
    else this.#ofShops.set(shopId, own);
  }
}
