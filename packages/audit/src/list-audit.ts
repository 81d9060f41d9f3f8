import { containsSql, type ListPage, type Sql } from "@partner-connect/database";
import type { AuditAction } from "./record-audit.ts";

export interface AuditFilter extends ListPage {
  readonly shopId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly connectionId?: string | undefined;
  /** Records that concern the merchant, or whose actor is the merchant. */
  readonly merchantId?: string | undefined;
  /** The full name, such as `operator:anna`. */
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  /** The `x-request-id`. Not indexed. */
  readonly requestId?: string | undefined;
  readonly since?: Date | undefined;
  /** Only older records. */
  readonly until?: Date | undefined;
}

/** A record, with the current names of its ids. */
export interface AuditRecord {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  /** The name of a client or merchant; null for other actors. */
  readonly actorName: string | null;
  readonly action: AuditAction;
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly shopId: string | null;
  readonly shopName: string | null;
  readonly connectionId: string | null;
  readonly merchantId: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Records, newest first; `after` is a record's id, `search` applies to actor, action and details.
 * Needs the owner's role.
 */
export async function listAudit(sql: Sql, filter: AuditFilter): Promise<AuditRecord[]> {
  const { shopId, clientId, connectionId, merchantId, since, until, after, search, limit } = filter;
  const isOfShop = shopId !== undefined || connectionId !== undefined;
  const matches = sql`
    ${clientId === undefined ? sql`true` : sql`client_id = ${clientId}`}
    ${merchantId === undefined ? sql`` : sql`AND (merchant_id = ${merchantId} OR actor = ${`merchant:${merchantId}`})`}
    ${filter.actor === undefined ? sql`` : sql`AND actor = ${filter.actor}`}
    ${filter.action === undefined ? sql`` : sql`AND event = ${filter.action}`}
    ${filter.requestId === undefined ? sql`` : sql`AND request_id = ${filter.requestId}`}
    ${since === undefined ? sql`` : sql`AND at >= ${since}`}
    ${until === undefined ? sql`` : sql`AND at < ${until}`}
    ${after === undefined ? sql`` : sql`AND (at, id) < (${await recordTime(sql, after)}, ${after})`}
    ${search === undefined ? sql`` : sql`AND ${containsSql(sql, ["actor", "event", "details"], search)}`}`;
  const newest = sql`ORDER BY at DESC, id DESC ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`;
  const columns = sql`id, at, actor, event, client_id, merchant_id, host(ip) AS ip, request_id, details`;
  return await sql<AuditRecord[]>`
    WITH of_shops AS (
      SELECT ${columns}, shop_id, connection_id FROM oauth.audit_log
      WHERE ${matches}
        ${shopId === undefined ? sql`` : sql`AND shop_id = ${shopId}`}
        ${connectionId === undefined ? sql`` : sql`AND connection_id = ${connectionId}`}
      ${newest}
    ), of_none AS (
      SELECT ${columns}, NULL::text AS shop_id, NULL::text AS connection_id FROM directory.audit_log
      WHERE ${matches} AND ${!isOfShop} ${newest}
    ), found AS (
      SELECT * FROM of_shops UNION ALL SELECT * FROM of_none ${newest}
    )
    SELECT f.id, f.at, f.actor, coalesce(ac.name, am.email) AS "actorName", f.event AS action,
      f.client_id AS "clientId", c.name AS "clientName", f.shop_id AS "shopId", s.name AS "shopName",
      f.connection_id AS "connectionId", f.merchant_id AS "merchantId", f.request_id AS "requestId", f.ip, f.details AS detail
    FROM found f
      LEFT JOIN directory.clients c ON c.client_id = f.client_id
      LEFT JOIN directory.shops s ON s.id = f.shop_id
      LEFT JOIN directory.clients ac ON ac.client_id = substring(f.actor FROM '^client:(.*)$')
      LEFT JOIN directory.merchants am ON am.id = substring(f.actor FROM '^merchant:(.*)$')
    ORDER BY f.at DESC, f.id DESC`;
}

/** The exact time of a record. Its id, a UUID version 7, has an approximate one for the index. */
async function recordTime(sql: Sql, id: string): Promise<Date> {
  const about = Number.parseInt(id.replace("aud_", "").slice(0, 12), 16) || 0;
  const [from, until] = [new Date(about - 60_000), new Date(about + 60_000)];
  const [record] = await sql<{ at: Date }[]>`
    SELECT at FROM oauth.audit_log WHERE id = ${id} AND at BETWEEN ${from} AND ${until} UNION ALL
    SELECT at FROM directory.audit_log WHERE id = ${id} AND at BETWEEN ${from} AND ${until}`;
  return record?.at ?? new Date(about);
}
