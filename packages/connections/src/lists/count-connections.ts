import type { Sql } from "@partner-connect/database";
import type { Connection } from "../connection.ts";
import { connectionState } from "./list-connections.ts";

export interface ConnectionCount {
  readonly status: Connection["status"];
  readonly connections: number;
}

/** Counts a client's connections by status. Reads the whole table; only operators call it. */
export async function countConnections(
  sql: Sql,
  clientId: string,
  refreshTokenTtlSeconds: number,
): Promise<ConnectionCount[]> {
  return await sql<ConnectionCount[]>`
    SELECT ${connectionState(sql, refreshTokenTtlSeconds).status} AS status, count(*)::int AS connections
    FROM oauth.connections c WHERE c.client_id = ${clientId} AND c.connected_at IS NOT NULL GROUP BY 1`;
}

/** Above this number of rows, estimate from a sample; counting this many takes a few milliseconds. */
const ENOUGH = 60_000;

/** The number of connections by status, over all shops: counted, or estimated from a sample above {@link ENOUGH}. */
export async function estimateConnections(
  sql: Sql,
  refreshTokenTtlSeconds: number,
  enough: number = ENOUGH,
): Promise<ConnectionCount[]> {
  // As of the last vacuum or analyze; -1 before the first.
  const [table] = await sql<{ rows: number }[]>`
    SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = 'oauth.connections'::regclass`;
  const share = Math.min(1, enough / Math.max(1, table?.rows ?? 1));
  const { status } = connectionState(sql, refreshTokenTtlSeconds);
  const sampled = await sql<ConnectionCount[]>`
    SELECT ${status} AS status, count(*)::float8 AS connections
    FROM oauth.connections c TABLESAMPLE SYSTEM (${share * 100}::float4) GROUP BY 1`;
  return sampled.map((row) => ({ ...row, connections: Math.round(row.connections / share) }));
}
