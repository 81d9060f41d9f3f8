import type { Sql } from "@partner-connect/database";
import { addRefusals, type Refusal, type RefusalKind } from "./client-refusals.ts";

/**
 * What is counted of a client. The API: `calls`, `records` (sent in answers). The token endpoint: `exchanges` and `refreshes` that
 * succeeded. And what was refused.
 */
export type ActivityKind = "calls" | "records" | "exchanges" | "refreshes" | RefusalKind;

/** One number of one client in one hour. */
export interface Activity {
  readonly clientId: string;
  /** Its beginning, in milliseconds since the epoch. */
  readonly hour: number;
  readonly what: ActivityKind;
  /** Why, as the log has it; empty where it needs none. */
  readonly reason: string;
  count: number;
  /** Examples of refused requests. Every refusal is counted, but only some are stored. */
  readonly examples: Refusal[];
}

/**
 * Stores the examples, and adds the counts to what is stored. The examples come first: after a fault all is repeated, and what is stored of
 * them already stays as it is. Rows are locked in the order of their keys, so replicas never wait in a circle. What came of a client that
 * was deleted meanwhile is dropped. Indexes: client_activity_pkey, clients_pkey.
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
