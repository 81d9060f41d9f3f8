import type { Sql } from "@partner-connect/database";
import type { Usage } from "./usage-counters.ts";

/**
 * Adds to what is stored, in one statement. The rows are locked in the order of their keys, so that replicas which add to the
 * same ones wait for each other, and never in a circle. Index: api_usage_pkey.
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
