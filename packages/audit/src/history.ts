import type { Sql, Statement } from "@partner-connect/database";
import type { AuditAction } from "./record-audit.ts";

/** What happened, as merchants may see it: nobody's address but their own, and no operator's name. */
export interface PastEvent {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly by: "merchant" | "client" | "operator" | "system";
  /** Of the merchant or the client who did it. */
  readonly actorName: string | null;
  readonly clientName: string | null;
  /** The merchant whom it concerns. */
  readonly merchantName: string | null;
  readonly connectionId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of an event of an account: the address that the request came from. */
  readonly ip: string | null;
}

/** Older events are the operators' alone. */
export const HISTORY_DAYS = 90;

/** The place of an event in the history: older ones come after it. */
export type HistoryPlace = Pick<PastEvent, "at" | "id">;

interface HistoryPage {
  readonly actions: readonly AuditAction[];
  readonly before?: HistoryPlace | null;
  readonly limit: number;
}

export interface ShopHistory extends HistoryPage {
  readonly shopId: string;
  readonly clientId?: string | null;
}

/** What happened with a shop, the newest first. Indexes: audit_log_by_shop or audit_log_by_connection of each part. */
export async function historyOfShop(sql: Sql, filter: ShopHistory): Promise<PastEvent[]> {
  const { shopId, clientId = null } = filter;
  const found = sql`
    SELECT id, at, event, actor, client_id, merchant_id, connection_id, details, NULL::inet AS ip FROM oauth.audit_log
    WHERE shop_id = ${shopId} AND (${clientId}::text IS NULL OR client_id = ${clientId}) AND ${onPage(sql, filter)}`;
  return await withNames(sql, found);
}

/** What happened with a merchant's account, the newest first. Index: audit_log_by_merchant of each part. */
export async function historyOfAccount(
  sql: Sql,
  filter: HistoryPage & { readonly merchantId: string },
): Promise<PastEvent[]> {
  const found = sql`
    SELECT id, at, event, actor, NULL::text AS client_id, merchant_id, NULL::text AS connection_id, '{}'::jsonb AS details, ip
    FROM directory.audit_log WHERE merchant_id = ${filter.merchantId} AND ${onPage(sql, filter)}`;
  return await withNames(sql, found);
}

const isRecent = (sql: Sql) => sql`at > now() - make_interval(days => ${HISTORY_DAYS})`;

function onPage(sql: Sql, { actions, before = null, limit }: HistoryPage) {
  const older = before === null ? sql`true` : sql`(at, id) < (${before.at}, ${before.id})`;
  return sql`event = ANY (${[...actions]}::text[]) AND ${isRecent(sql)} AND ${older} ORDER BY at DESC, id DESC LIMIT ${limit}`;
}

async function withNames(sql: Sql, found: Statement): Promise<PastEvent[]> {
  return await sql<PastEvent[]>`
    WITH found AS (${found})
    SELECT f.id, f.at, f.event AS action,
      coalesce(substring(f.actor FROM '^(merchant|client|operator):'), 'system') AS by,
      coalesce(am.name, ac.name) AS "actorName", c.name AS "clientName", m.name AS "merchantName",
      f.connection_id AS "connectionId", f.details AS detail, host(f.ip) AS ip
    FROM found f
      LEFT JOIN directory.clients c ON c.client_id = f.client_id
      LEFT JOIN directory.merchants m ON m.id = f.merchant_id
      LEFT JOIN directory.clients ac ON ac.client_id = substring(f.actor FROM '^client:(.*)$')
      LEFT JOIN directory.merchants am ON am.id = substring(f.actor FROM '^merchant:(.*)$')
    ORDER BY f.at DESC, f.id DESC`;
}
