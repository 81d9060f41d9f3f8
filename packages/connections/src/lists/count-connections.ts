import type { Scope } from "@partner-connect/contract";
import type { Sql } from "@partner-connect/database";
import type { Connection } from "../connection.ts";
import { connectionState } from "./list-connections.ts";

export interface ConnectionCount {
  readonly status: Connection["status"];
  readonly scope: readonly Scope[];
  /** As registered; null: approved by a release that did not keep it. */
  readonly redirectUri: string | null;
  readonly connections: number;
}

/** A client's listed connections, counted. It reads the whole table, which only operators do. */
export async function countConnections(
  sql: Sql,
  clientId: string,
  refreshTokenTtlSeconds: number,
): Promise<ConnectionCount[]> {
  const { status } = connectionState(sql, refreshTokenTtlSeconds);
  return await sql<ConnectionCount[]>`
    SELECT ${status} AS status, c.scope, c.redirect_uri AS "redirectUri", count(*)::int AS connections
    FROM oauth.connections c
    WHERE c.client_id = ${clientId} AND c.connected_at IS NOT NULL
    GROUP BY 1, 2, 3`;
}

/** Of connections: they take a few milliseconds to read. */
const ENOUGH = 60_000;

/** Of the table, as percent: the first sample. Of 100 million connections it has 10,000. */
const FIRST = 0.01;

export type ConnectionEstimate = Pick<ConnectionCount, "status" | "connections">;

/**
 * Connections of each status, over all shops: counted, or of more than half of {@link ENOUGH} estimated from a sample. It grows
 * until it has enough rows, as on a cluster no node knows the size of the table.
 */
export async function estimateConnections(
  sql: Sql,
  refreshTokenTtlSeconds: number,
  enough: number = ENOUGH,
): Promise<ConnectionEstimate[]> {
  for (let percent = FIRST; ; ) {
    const sampled = await sample(sql, refreshTokenTtlSeconds, percent);
    const rows = sampled.reduce((sum, { connections }) => sum + connections, 0);
    if (percent === 100 || rows >= enough / 2) {
      return sampled.map(({ status, connections }) => ({
        status,
        connections: Math.round((connections * 100) / percent),
      }));
    }
    // A hundredfold at most, as a small sample says little about the whole.
    percent = Math.min(100, percent * Math.min(100, enough / Math.max(rows, 1)));
  }
}

async function sample(sql: Sql, refreshTokenTtlSeconds: number, percent: number): Promise<ConnectionEstimate[]> {
  const { status } = connectionState(sql, refreshTokenTtlSeconds);
  return await sql<ConnectionEstimate[]>`
    SELECT ${status} AS status, count(*)::float8 AS connections
    FROM oauth.connections c TABLESAMPLE SYSTEM (${percent}::float4) GROUP BY 1`;
}
