import type { Scope } from "@partner-connect/contract";
import type { Sql } from "@partner-connect/database";
import type { Connection } from "../connection.ts";
import { connectionState } from "./connection-state.ts";

/** How many connections of a client are alike. */
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
