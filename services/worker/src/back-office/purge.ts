import { type Actor, pruneMonths, recordAudit } from "@partner-connect/audit";
import { recordForgotten } from "@partner-connect/connections";
import { deleteInBatches, type Row, type Sql, type Transaction } from "@partner-connect/database";
import type { Kind } from "../jobs.ts";

/** Rows that are deleted after some time. */
interface Purge {
  /** The name under which the purge is recorded in the audit log. */
  readonly what: string;
  readonly keptDays: number;
  readonly table: string;
  /** The primary key. */
  readonly key: readonly string[];
  /**
   * SQL condition under which the row `t` may be deleted. $1 is the time `keptDays` ago. The
   * condition is checked again once the row is locked.
   */
  readonly condition: string;
  /** Columns that `onDeleted` gets. */
  readonly returning?: string;
  readonly onDeleted?: (tx: Transaction, rows: readonly Row[], actor: Actor) => Promise<void>;
}

/** Purges of connections keep an operator's hold, however old, because a hold stops approvals. */
const CONNECTIONS = { table: "oauth.connections", key: ["shop_id", "client_id"] };

const PURGES: readonly Purge[] = [
  {
    what: "unfinished_approvals", // whose code was never exchanged
    keptDays: 30,
    ...CONNECTIONS,
    condition: "t.connected_at IS NULL AND NOT t.disabled AND t.approved_at < $1",
  },
  {
    // The connection's tokens have expired (REFRESH_TOKEN_TTL_SECONDS is less), so none becomes valid
    // again when a new connection starts with generation 1. Index: audit_log_by_connection.
    what: "ended_connections",
    keptDays: 400,
    ...CONNECTIONS,
    condition: `t.connected_at IS NOT NULL AND NOT t.disabled
      AND greatest(t.connected_at, t.approved_at, t.exchanged_at, t.last_used_at) < $1
      AND NOT EXISTS (SELECT FROM oauth.audit_log a WHERE a.shop_id = t.shop_id AND a.connection_id = t.id AND a.at >= $1)`,
    returning: "shop_id, client_id, id, status",
    onDeleted: recordForgotten,
  },
  {
    what: "erased_connections", // of erased shops
    keptDays: 400,
    table: "oauth.ended_connections",
    key: ["shop_id", "id"],
    condition: "t.ended_at < $1",
  },
  {
    what: "gone_changes", // feed entries of connections that were purged
    keptDays: 400,
    table: "oauth.changes",
    key: ["client_id", "connection_id", "kind"],
    condition: "t.gone AND t.at < $1",
  },
  {
    what: "decisions",
    keptDays: 1,
    table: "oauth.decisions",
    key: ["authorization_hash"],
    condition: "t.decided_at < $1",
  },
  {
    what: "idempotency_keys",
    keptDays: 2,
    table: "survey.idempotency_keys",
    key: ["shop_id", "caller_id", "key_hash"],
    condition: "t.created_at < $1",
  },
  {
    what: "merchant_links",
    keptDays: 30,
    table: "directory.merchant_links",
    key: ["token_hash"],
    condition: "least(t.used_at, t.expires_at) < $1",
  },
  {
    what: "client_activity",
    keptDays: 400,
    table: "oauth.client_activity",
    key: ["client_id", "hour", "what", "reason"],
    condition: "t.hour < $1",
  },
  {
    what: "client_refusals",
    keptDays: 7,
    table: "oauth.client_refusals",
    key: ["client_id", "what", "reason", "at", "request_id"],
    condition: "t.at < $1",
  },
  {
    // Each shop's newest deletion before $1 stays, even if it was hidden after it was listed: a
    // partner that has read up to it continues from there. Index: deleted_responses_by_time.
    what: "deletions",
    keptDays: 400,
    table: "survey.deleted_responses",
    key: ["shop_id", "id"],
    condition: `t.deleted_at < $1 AND EXISTS (SELECT FROM survey.deleted_responses n
      WHERE n.shop_id = t.shop_id AND NOT n.is_hidden AND (n.deleted_at, n.id) > (t.deleted_at, t.id) AND n.deleted_at < $1)`,
  },
  {
    what: "unlisted_deletions", // of responses that were never stored, so all times are the same
    keptDays: 400,
    table: "survey.deleted_responses",
    key: ["shop_id", "id"],
    condition: "t.deleted_at < $1 AND t.is_hidden AND t.inserted_at = t.deleted_at",
  },
];

/**
 * Milliseconds that a batch waits for a locked row before it is left to the next run. Shorter than
 * `deadlock_timeout`, so no caller's transaction is aborted because of a purge.
 */
const LOCK_TIMEOUT = 200;

const SYSTEM = { name: "system" };

/**
 * Deletes expired data each night in small steps, and creates the partitions of the next months. A
 * run can be killed and repeated. @param keepMonths months before the current one for which the
 * audit log and API usage are kept
 */
export function purgeKind(sql: Sql, keepMonths: number): Kind {
  return {
    kind: "purge",
    lanes: 1,
    batch: 1,
    every: { seconds: 24 * 3600, from: (3 * 60 + 17) * 60 },
    async run() {
      let all = 0;
      const failures: unknown[] = [];
      const noRows = (error: unknown) => failures.push(error) && 0;
      for (const each of PURGES) all += await purgeRows(sql, each).catch(noRows);
      // Months are pruned last, because the audit log shows when a connection ended.
      for (const { rows } of await pruneMonths(sql, { keep: keepMonths }, SYSTEM)) all += rows;
      if (failures.length > 0) throw failures[0];
      // The run is recorded even if nothing was deleted, to show when the purge last ran.
      await recordAudit(sql, { action: "purge", detail: { completed: true, rows: all } }, SYSTEM);
      return "purged";
    },
  };
}

/** Deletes the rows, with an audit record for each batch. */
async function purgeRows(sql: Sql, { what, keptDays, onDeleted, returning, ...rows }: Purge) {
  const [{ before }] = await sql<[{ before: Date }]>`
    SELECT now() - make_interval(days => ${keptDays}) AS before`;
  const expired = { ...rows, value: before };
  return await deleteInBatches(sql, expired, {
    returning,
    lockTimeout: LOCK_TIMEOUT,
    async onDeleted(tx, gone) {
      const detail = { what, rows: gone.length, before: before.toISOString() };
      await recordAudit(tx, { action: "purge", detail }, SYSTEM);
      await onDeleted?.(tx, gone, SYSTEM);
    },
  });
}
