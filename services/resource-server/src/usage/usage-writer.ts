import { addActivity, addRefusals } from "@partner-connect/connections/activity";
import type { Sql } from "@partner-connect/database";
import { CountsWriter, type Logger } from "@partner-connect/service-runtime";
import type { Writes } from "../stores/database.ts";
import type { Usage, UsageCounters } from "./usage-counters.ts";

/** Stores what was counted of callers and of clients: each by itself, so that neither is added twice when only the other fails. */
export class UsageWriter {
  readonly #writers: readonly Pick<CountsWriter<never>, "start" | "store" | "close">[];

  constructor(counters: UsageCounters, writes: Writes, logger: Logger) {
    // In the queue of writes each shop has its turn. These have turns of their own, as no shop has such an id.
    const storeUsage = async (usages: readonly Usage[]) => {
      const uncounted = counters.takeUncounted();
      if (uncounted > 0) logger.warn({ uncounted }, "too many callers; some of what they did was not counted");
      await writes.run("usage", (sql) => addUsage(sql, usages));
    };
    const { activity } = counters;
    const { refusals } = activity;
    const stored =
      <T>(add: (sql: Sql, all: readonly T[]) => Promise<void>) =>
      (all: readonly T[]) =>
        writes.run("activity", (sql) => add(sql, all));
    this.#writers = [
      new CountsWriter(counters, storeUsage, logger, "usage"),
      new CountsWriter(activity, stored(addActivity), logger, "what clients did"),
      new CountsWriter(refusals, stored(addRefusals), logger, "what clients were refused"),
    ];
  }

  start(): void {
    for (const writer of this.#writers) writer.start();
  }

  /** Stores what was counted until now, after whatever is being stored. Never rejects. */
  async store(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.store()));
  }

  /** The last call has been answered: what is counted is stored, or lost. */
  async close(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.close()));
  }
}

/**
 * Adds to what is stored, in one statement. Rows are locked in the order of their keys, so replicas never wait in a circle. What came of a
 * shop that was erased meanwhile is dropped. Indexes: api_usage_pkey, shops_pkey.
 */
export async function addUsage(sql: Sql, usages: readonly Usage[]): Promise<void> {
  await sql`
    INSERT INTO oauth.api_usage AS stored (shop_id, caller_id, hour, calls, records, refused, failed)
    SELECT "shopId", "callerId", to_timestamp(hour / 1000), calls, records, refused, failed
    FROM json_to_recordset(${JSON.stringify(usages)}::text::json) AS counted
      ("shopId" text, "callerId" text, hour bigint, calls bigint, records bigint, refused bigint, failed bigint)
      JOIN directory.shops s ON s.id = "shopId"
    ORDER BY "shopId" COLLATE "C", "callerId" COLLATE "C", hour
    ON CONFLICT (shop_id, caller_id, hour) DO UPDATE SET
      calls = stored.calls + excluded.calls, records = stored.records + excluded.records,
      refused = stored.refused + excluded.refused, failed = stored.failed + excluded.failed`;
}
