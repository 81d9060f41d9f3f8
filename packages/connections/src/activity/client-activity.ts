import type { Sql } from "@partner-connect/database";
import { addRefusals, type Refusal, type RefusalKind } from "./client-refusals.ts";

/**
 * What is counted per client. API: `calls`, `records` (sent in answers). Token endpoint: successful `exchanges` and `refreshes`. And
 * refusals.
 */
export type ActivityKind = "calls" | "records" | "exchanges" | "refreshes" | RefusalKind;

/** A count of one client in one hour. */
export interface Activity {
  readonly clientId: string;
  /** Start of the hour, in milliseconds since the epoch. */
  readonly hour: number;
  readonly what: ActivityKind;
  /** The reason as in the log; empty if there is none. */
  readonly reason: string;
  count: number;
  /** Every refusal is counted, but only some are stored as examples. */
  readonly examples: Refusal[];
}

/**
 * Stores the examples, then adds the counts. The examples come first because storing them is idempotent: after a fault both are repeated.
 * Rows are locked in the order of their keys, so replicas never deadlock. Counts of a deleted client are dropped. Indexes:
 * client_activity_pkey, clients_pkey.
 */
export async function addActivity(sql: Sql, activities: readonly Activity[]): Promise<void> {
  const ids = [...new Set(activities.map(({ clientId }) => clientId))];
  const there = await sql<{ id: string }[]>`
    SELECT client_id AS id FROM directory.clients WHERE client_id = ANY (${ids}::text[])`;
  const known = new Set(there.map(({ id }) => id));
  const kept = activities.filter(({ clientId }) => known.has(clientId));
  if (kept.length === 0) return;
  await addRefusals(
    sql,
    kept.flatMap(({ examples }) => examples),
  );
  const counted = kept.map(({ clientId, hour, what, reason, count }) => ({ clientId, hour, what, reason, count }));
  await sql`
    INSERT INTO oauth.client_activity AS stored (client_id, hour, what, reason, count)
    SELECT "clientId", to_timestamp(hour / 1000), what, reason, count
    FROM json_to_recordset(${JSON.stringify(counted)}::text::json) AS counted
      ("clientId" text, hour bigint, what text, reason text, count bigint)
    ORDER BY "clientId" COLLATE "C", hour, what COLLATE "C", reason COLLATE "C"
    ON CONFLICT (client_id, hour, what, reason) DO UPDATE SET count = stored.count + excluded.count`;
}

export interface HourlyActivity {
  readonly hour: Date;
  readonly what: ActivityKind;
  readonly reason: string;
  readonly count: number;
}

/** A client's activity since then, by hour, oldest first. The services store every ten seconds. Index: client_activity_pkey. */
export async function activityOfClient(sql: Sql, clientId: string, since: Date): Promise<HourlyActivity[]> {
  return await sql<HourlyActivity[]>`
    SELECT hour, what, reason, count::float8 AS count FROM oauth.client_activity
    WHERE client_id = ${clientId} AND hour >= ${since} ORDER BY hour, what, reason`;
}
