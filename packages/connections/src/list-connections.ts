import type { Sql } from "@partner-connect/database";
import type { Connection } from "./connection.ts";

export interface ConnectionFilter {
  readonly shopId?: string;
  readonly clientId?: string;
  readonly id?: string;
}

/**
 * All connections, present and past, oldest first. A first approval whose code was never exchanged is not one of them.
 * Index: connections_pkey with a shop; without one it reads the whole table, which only operators do.
 */
export async function listConnections(
  sql: Sql,
  filter: ConnectionFilter,
  refreshTokenTtlSeconds: number,
): Promise<Connection[]> {
  return await sql<Connection[]>`
    SELECT c.id, c.shop_id AS "shopId", c.client_id AS "clientId", k.name AS "clientName", c.scope,
      c.merchant_id AS "merchantId", m.name AS "merchantName", c.approved_at AS "approvedAt",
      since.connected_at AS "connectedAt", since.last_used_at AS "lastUsedAt", token.expires_at AS "expiresAt",
      CASE WHEN c.disabled THEN 'disabled'
           WHEN c.status = 'revoked' THEN 'revoked'
           WHEN c.exchanged_at IS NULL THEN 'approved'
           WHEN token.expires_at <= now() THEN 'expired'
           ELSE 'connected' END AS status
    FROM oauth.connections c
      JOIN directory.clients k ON k.client_id = c.client_id
      JOIN directory.merchants m ON m.id = c.merchant_id
      -- An approval after a revocation begins a new connection, without the dates of the former one.
      LEFT JOIN LATERAL (SELECT c.connected_at, c.last_used_at WHERE c.status <> 'approved') since ON true
      LEFT JOIN LATERAL (
        SELECT c.last_used_at + make_interval(secs => ${refreshTokenTtlSeconds}) AS expires_at
        WHERE c.status = 'connected' AND c.exchanged_at IS NOT NULL) token ON true
    WHERE c.connected_at IS NOT NULL
      ${filter.shopId === undefined ? sql`` : sql`AND c.shop_id = ${filter.shopId}`}
      ${filter.clientId === undefined ? sql`` : sql`AND c.client_id = ${filter.clientId}`}
      ${filter.id === undefined ? sql`` : sql`AND c.id = ${filter.id}`}
    ORDER BY c.connected_at, c.id`;
}
