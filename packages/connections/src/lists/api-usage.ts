import type { Queries } from "@partner-connect/database";
import { ofShops } from "./list-connections.ts";

export interface ApiUsage {
  readonly calls: number;
  readonly records: number;
  /** Calls that returned 4xx. */
  readonly refused: number;
  /** Calls that returned 5xx. */
  readonly failed: number;
  /** Start of the last hour with a call. */
  readonly lastHour: Date;
}

/** Usage per caller in the last `hours` (including the whole oldest hour), ordered by the caller's id. Index: api_usage_pkey. */
export async function usageOfShop(
  sql: Queries,
  shopId: string | readonly string[],
  hours: number,
): Promise<ReadonlyMap<string, ApiUsage>> {
  const rows = await sql<(ApiUsage & { callerId: string })[]>`
    SELECT caller_id AS "callerId", sum(calls)::float8 AS calls, sum(records)::float8 AS records,
      sum(refused)::float8 AS refused, sum(failed)::float8 AS failed, max(hour) AS "lastHour"
    FROM oauth.api_usage WHERE ${ofShops(sql, "shop_id", shopId)} AND hour > now() - make_interval(hours => ${hours + 1})
    GROUP BY caller_id`;
  return new Map(rows.map(({ callerId, ...usage }) => [callerId, usage]));
}
