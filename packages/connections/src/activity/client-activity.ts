import type { Sql } from "@partner-connect/database";
import type { Activity, ActivityKind } from "./activity-counters.ts";

/**
 * Adds to what is stored. The rows are locked in the order of their keys, so that replicas which add to the same ones
 * wait for each other, and never in a circle. What came of a client that was deleted meanwhile is dropped. Indexes: client_activity_pkey,
 * clients_pkey.
 */
export async function addActivity(sql: Sql, activities: readonly Activity[]): Promise<void> {
  const kept = await ofKnownClients(sql, activities);
  if (kept.length === 0) return;
  await sql`
    INSERT INTO oauth.client_activity AS stored (client_id, hour, what, reason, count)
    SELECT "clientId", to_timestamp(hour / 1000), what, reason, count
    FROM json_to_recordset(${JSON.stringify(kept)}::text::json) AS counted
      ("clientId" text, hour bigint, what text, reason text, count bigint)
    ORDER BY "clientId" COLLATE "C", hour, what COLLATE "C", reason COLLATE "C"
    ON CONFLICT (client_id, hour, what, reason) DO UPDATE SET count = stored.count + excluded.count`;
}

/** Without what came of clients that were deleted meanwhile. Index: clients_pkey. */
export async function ofKnownClients<T extends { readonly clientId: string }>(
  sql: Sql,
  all: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(all.map(({ clientId }) => clientId))];
  const there = await sql<{ id: string }[]>`
    SELECT client_id AS id FROM directory.clients WHERE client_id = ANY (${ids}::text[])`;
  const known = new Set(there.map(({ id }) => id));
  return all.filter(({ clientId }) => known.has(clientId));
}

/** One stored number. */
export interface HourlyActivity {
  readonly hour: Date;
  readonly what: ActivityKind;
  readonly reason: string;
  readonly count: number;
}

/** What a client did since then, by the hour, the earliest first. The services store every ten seconds. Index: client_activity_pkey. */
export async function activityOfClient(sql: Sql, clientId: string, since: Date): Promise<HourlyActivity[]> {
  return await sql<HourlyActivity[]>`
    SELECT hour, what, reason, count::float8 AS count FROM oauth.client_activity
    WHERE client_id = ${clientId} AND hour >= ${since} ORDER BY hour, what, reason`;
}
