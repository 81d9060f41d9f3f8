import { type Actor, type Purge, purgeOf, recordAuditOfEach } from "@partner-connect/audit";
import type { Row, Transaction } from "@partner-connect/database";
import { REFUSALS_KEPT_DAYS } from "./activity/index.ts";
import { changeRecord } from "./events/change-record.ts";

const CONNECTIONS = { table: "oauth.connections", key: ["shop_id", "client_id"] };

/** First approvals whose code was never exchanged, in its five minutes. A hold stays, as it keeps the merchant from approving. */
export const UNFINISHED_APPROVALS: Purge = purgeOf({
  ...CONNECTIONS,
  what: "unfinished_approvals",
  noun: "approval whose code was never exchanged",
  keptDays: 30,
  condition: "t.connected_at IS NULL AND NOT t.disabled AND t.approved_at < $1",
});

/**
 * Connections, revoked or expired, to which nothing happened for so long. Their tokens are long expired, so a new connection, which
 * begins with generation 1 again, revives none. A hold stays. Index: audit_log_by_connection.
 */
export const ENDED_CONNECTIONS: Purge = purgeOf({
  ...CONNECTIONS,
  what: "ended_connections",
  noun: "connection that ended",
  keptDays: 400,
  condition: `t.connected_at IS NOT NULL AND NOT t.disabled
    AND greatest(t.connected_at, t.approved_at, t.exchanged_at, t.last_used_at) < $1
    AND NOT EXISTS (SELECT FROM oauth.audit_log a WHERE a.shop_id = t.shop_id AND a.connection_id = t.id AND a.at >= $1)`,
  recordEach: recordForgotten,
});

/** Decisions of authorizations that are over: each lives an hour. Index: decisions_by_time. */
export const DECISIONS: Purge = purgeOf({
  table: "oauth.decisions",
  key: ["authorization_hash"],
  what: "decisions",
  noun: "decision on an authorization that is over",
  keptDays: 1,
  condition: "t.decided_at < $1",
});

/** What a client did, by the hour. Months of it would be few rows. */
export const CLIENT_ACTIVITY: Purge = purgeOf({
  table: "oauth.client_activity",
  key: ["client_id", "hour", "what", "reason"],
  what: "client_activity",
  noun: "count of what a client did in an hour",
  keptDays: 400,
  condition: "t.hour < $1",
});

/** Examples of what was refused a client. */
export const CLIENT_REFUSALS: Purge = purgeOf({
  table: "oauth.client_refusals",
  key: ["client_id", "what", "reason", "at", "request_id"],
  what: "client_refusals",
  noun: "example of what a client was refused",
  keptDays: REFUSALS_KEPT_DAYS,
  condition: "t.at < $1",
});

/** So that its shop and its client find it in the audit log. */
export async function recordForgotten(tx: Transaction, rows: readonly Row[], actor: Actor): Promise<void> {
  const column = (name: string) => rows.map((row) => row[name] as string);
  const gone = tx`
    FROM unnest(${column("shop_id")}::text[], ${column("client_id")}::text[], ${column("id")}::text[], ${column("status")}::text[])
      AS gone (shop_id, client_id, id, status)`;
  await recordAuditOfEach(tx, changeRecord(tx, "forget", actor, gone, tx`jsonb_build_object('status', status)`));
}
