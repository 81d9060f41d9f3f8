import type { Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";
import type { Writes } from "../stores/database.ts";
import type { Usage, UsageCounters } from "./usage-counters.ts";

/** How much of the counts a process that is killed takes with it. */
const EVERY_MS = 10_000;

/** In the queue of writes, where each shop has its turn: usage has one of its own. No shop has this id. */
const TURN = "usage";

/**
 * Stores what was counted, every ten seconds and at the close. When Postgres can't take it, it is stored later: a count may be too high
 * after a fault, never too low.
 */
export class UsageWriter {
  readonly #counters: UsageCounters;
  readonly #writes: Writes;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(counters: UsageCounters, writes: Writes, logger: Logger) {
    this.#counters = counters;
    this.#writes = writes;
    this.#logger = logger;
  }

  start(everyMs: number = EVERY_MS): void {
    this.#timer = setInterval(() => void this.store(), everyMs).unref();
  }

  /** Stores what was counted until now, after whatever is being stored. Never rejects. */
  async store(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#store());
    await this.#underWay;
  }

  /** The last call has been answered: what is counted is stored, or lost. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  async #store(): Promise<void> {
    const uncounted = this.#counters.takeUncounted();
    if (uncounted > 0) this.#logger.warn({ uncounted }, "too many callers; some of what they did was not counted");
    const counted = this.#counters.take();
    if (counted.length === 0) return;
    try {
      await this.#writes.run(TURN, (sql) => addUsage(sql, counted));
    } catch (error) {
      this.#counters.giveBack(counted);
      this.#logger.warn({ err: error, callers: counted.length }, "usage could not be stored now; it is kept");
    }
  }
}

/**
 * Adds to what is stored, in one statement. Rows are locked in the order of their keys, so replicas never wait in a circle. Index:
 * api_usage_pkey.
 */
export async function addUsage(sql: Sql, usages: readonly Usage[]): Promise<void> {
  await sql`
    INSERT INTO oauth.api_usage AS stored (shop_id, caller_id, hour, calls, records, refused, failed)
    SELECT "shopId", "callerId", to_timestamp(hour / 1000), calls, records, refused, failed
    FROM json_to_recordset(${JSON.stringify(usages)}::text::json) AS counted
      ("shopId" text, "callerId" text, hour bigint, calls bigint, records bigint, refused bigint, failed bigint)
    ORDER BY "shopId" COLLATE "C", "callerId" COLLATE "C", hour
    ON CONFLICT (shop_id, caller_id, hour) DO UPDATE SET
      calls = stored.calls + excluded.calls, records = stored.records + excluded.records,
      refused = stored.refused + excluded.refused, failed = stored.failed + excluded.failed`;
}
