import type { Plan, Scope } from "@partner-connect/contract";
import { type ListPage, listPageSql, type Queries, type Sql } from "@partner-connect/database";
import { type Connection, lastUseLagSeconds } from "../connection.ts";

/** `search` applies to the names of client and shop. */
export interface ConnectionFilter extends ListPage {
  readonly shopId?: string | undefined;
  readonly shopIds?: readonly string[] | undefined;
  readonly clientId?: string | undefined;
  readonly id?: string | undefined;
  readonly status?: Connection["status"] | undefined;
  /** Includes first approvals without an exchange that are younger than this (default: none). */
  readonly unfinishedSeconds?: number | undefined;
}

export interface ListedConnection extends Connection {
  readonly shopName: string;
  readonly plan: Plan;
  readonly clientScope: readonly Scope[];
  readonly clientStatus: "active" | "disabled";
  /** The redirect URI of the current approval, as registered; null if unknown. */
  readonly redirectUri: string | null;
  /** True if the connection was revoked. Unlike `status`, it stays true during a hold. */
  readonly isRevoked: boolean;
}

/**
 * Connections, including ended ones, by id, oldest first. Without a limit or a filter by shop,
 * client or id, reads the whole table.
 */
export async function listConnections(
  sql: Sql,
  filter: ConnectionFilter,
  refreshTokenTtlSeconds: number,
): Promise<ListedConnection[]> {
  const { shopId, shopIds = shopId, clientId, id, status, unfinishedSeconds = 0, ...page } = filter;
  const state = connectionState(sql, refreshTokenTtlSeconds);
  return await sql<ListedConnection[]>`
    SELECT c.id, c.shop_id AS "shopId", s.name AS "shopName", s.plan, c.client_id AS "clientId", k.name AS "clientName",
      k.scope AS "clientScope", k.status AS "clientStatus", c.scope, c.redirect_uri AS "redirectUri",
      c.merchant_id AS "merchantId", m.name AS "merchantName", c.approved_at AS "approvedAt",
      ${unlessApproved(sql, "connected_at")} AS "connectedAt", ${unlessApproved(sql, "last_used_at")} AS "lastUsedAt",
      ${state.expiresAt} AS "expiresAt", ${state.status} AS status, c.status = 'revoked' AS "isRevoked"
    FROM oauth.connections c
      JOIN directory.shops s ON s.id = c.shop_id
      JOIN directory.clients k ON k.client_id = c.client_id
      JOIN directory.merchants m ON m.id = c.merchant_id
    WHERE (c.connected_at IS NOT NULL OR c.approved_at > now() - make_interval(secs => ${unfinishedSeconds}))
      ${shopIds === undefined ? sql`` : sql`AND ${ofShops(sql, "c.shop_id", shopIds)}`}
      ${clientId === undefined ? sql`` : sql`AND c.client_id = ${clientId}`}
      ${id === undefined ? sql`` : sql`AND c.id = ${id}`}
      ${status === undefined ? sql`` : sql`AND ${state.status} = ${status}`}
      ${listPageSql(sql, page, "c.id", ["k.name", "s.name"])}`;
}

/**
 * The status of a row `c`, and the expiry of its refresh token, null without one. The recorded last
 * use may lag, so a token may work after its expiry; the status becomes 'expired' only when a
 * refresh would be refused.
 */
export function connectionState(sql: Queries, ttl: number) {
  const after = (seconds: number) => sql`c.last_used_at + make_interval(secs => ${seconds})`;
  return {
    expiresAt: sql`CASE WHEN c.status = 'connected' AND c.exchanged_at IS NOT NULL THEN ${after(ttl)} END`,
    status: sql`
      CASE WHEN c.disabled THEN 'disabled'
           WHEN c.status = 'revoked' THEN 'revoked'
           WHEN c.exchanged_at IS NULL THEN 'approved'
           WHEN c.status = 'connected' AND ${after(ttl + lastUseLagSeconds(ttl))} < now() THEN 'expired'
           ELSE 'connected' END`,
  };
}

/**
 * A date of a row `c`. Null while an approval after a revocation is not exchanged, because that
 * approval begins a new connection.
 */
export const unlessApproved = (sql: Queries, column: "connected_at" | "last_used_at") =>
  sql`CASE WHEN c.status <> 'approved' THEN c.${sql(column)} END`;

/**
 * A condition that a row belongs to the shop or shops. A single shop is compared by `=`, so that an
 * index keeps its order.
 */
export function ofShops(sql: Queries, column: string, shops: string | readonly string[]) {
  const ids = [shops].flat();
  return ids.length === 1
    ? sql`${sql(column)} = ${ids[0] ?? ""}`
    : sql`${sql(column)} = ANY (${ids}::text[])`;
}

export interface ApprovedGrant {
  readonly shopId: string;
  readonly grantId: string;
  readonly scope: readonly Scope[];
  readonly isExchanged: boolean;
}

/** The merchant's current approvals for the client and these shops. Index: connections_pkey. */
export async function approvedGrants(
  sql: Sql,
  {
    clientId,
    merchantId,
    shopIds,
  }: { clientId: string; merchantId: string; shopIds: readonly string[] },
): Promise<ApprovedGrant[]> {
  return await sql<ApprovedGrant[]>`
    SELECT c.shop_id AS "shopId", c.grant_id AS "grantId", c.scope, c.exchanged_at IS NOT NULL AS "isExchanged"
    FROM oauth.connections c
    WHERE ${ofShops(sql, "c.shop_id", shopIds)} AND c.client_id = ${clientId} AND c.merchant_id = ${merchantId}
      AND c.status <> 'revoked'`;
}

/**
 * True if the connection was used within a day, plus the default lag of `last_used_at` (an hour).
 * Index: connections_pkey.
 */
export async function wasUsedRecently(
  sql: Sql,
  { shopId, clientId }: { readonly shopId: string; readonly clientId: string },
): Promise<boolean> {
  const used = await sql`
    SELECT FROM oauth.connections WHERE shop_id = ${shopId} AND client_id = ${clientId} AND status = 'connected'
      AND coalesce(last_used_at, exchanged_at) > now() - interval '25 hours'`;
  return used.length === 1;
}

/** How many rows of the shop are connected, even if on hold or expired. Index: connections_pkey. */
export async function countConnected(sql: Sql, shopId: string): Promise<number> {
  return (
    await sql`SELECT FROM oauth.connections WHERE shop_id = ${shopId} AND status = 'connected'`
  ).count;
}

export interface ApiUsage {
  readonly calls: number;
  readonly records: number;
  /** Calls that returned 4xx. */
  readonly refused: number;
  /** Calls that returned 5xx. */
  readonly failed: number;
}

/**
 * Usage per caller of one or more shops in the last `hours` (including the whole oldest hour).
 * Index: api_usage_pkey.
 */
export async function usageOfShop(
  sql: Queries,
  shopId: string | readonly string[],
  hours: number,
): Promise<ReadonlyMap<string, ApiUsage>> {
  const rows = await sql<(ApiUsage & { callerId: string })[]>`
    SELECT caller_id AS "callerId", sum(calls)::float8 AS calls, sum(records)::float8 AS records,
      sum(refused)::float8 AS refused, sum(failed)::float8 AS failed
    FROM oauth.api_usage WHERE ${ofShops(sql, "shop_id", shopId)} AND hour > now() - make_interval(hours => ${hours + 1})
    GROUP BY caller_id`;
  return new Map(rows.map(({ callerId, ...usage }) => [callerId, usage]));
}

/**
 * The beginning of the hour of each API key's last counted call, by the key's id. Index:
 * api_usage_pkey.
 */
export async function lastUses(
  sql: Sql,
  keys: readonly { readonly id: string; readonly shopId: string }[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await sql<{ id: string; hour: Date }[]>`
    SELECT caller_id AS id, max(hour) AS hour FROM oauth.api_usage
    WHERE shop_id = ANY (${[...new Set(keys.map(({ shopId }) => shopId))]}::text[]) AND caller_id = ANY (${keys.map(({ id }) => id)}::text[])
    GROUP BY caller_id`;
  return new Map(rows.map(({ id, hour }) => [id, hour]));
}
