import type { Queries, Row, Statement } from "@partner-connect/database";

type Fragment = Statement<Row[]>;

/** Inserts the record of an event. Call it in the transaction of the change. */
export async function recordAudit(sql: Queries, event: AuditEvent, actor: Actor): Promise<void> {
  const { action, detail = {}, ...columns } = event;
  const record = { action, actor, ...columns, detail: sql`${JSON.stringify(detail)}::text::jsonb` };
  logAfterCommit(sql, record, await sql<Recorded[]>`${insertSql(sql, record)}`);
}

/** Inserts a record for each row of `record.from`. */
export async function recordAuditOfEach(sql: Queries, record: RecordOfRows): Promise<void> {
  logAfterCommit(sql, record, await sql<Recorded[]>`${insertSql(sql, record)}`);
}

/**
 * Runs a statement that makes a change and inserts a record for each row of `record.from`.
 * @param changes the common table expressions, such as `revoked AS (UPDATE … RETURNING …)`
 * @param select the last SELECT, which must return a row if there is a record
 */
export async function changeWithRecords<Result extends object>(
  sql: Queries,
  record: RecordOfRows,
  changes: Fragment,
  select: Statement<Result[]>,
): Promise<Result[]> {
  const rows = await sql<(Result & { readonly audited: readonly Recorded[] | null })[]>`
    WITH ${changes}, audited AS (${insertSql(sql, record)})
    SELECT result.*, (SELECT jsonb_agg(audited) FROM audited) AS audited FROM (${select}) AS result`;
  logAfterCommit(sql, record, rows[0]?.audited ?? []);
  return rows;
}

interface AuditedColumns {
  readonly action: AuditAction;
  readonly actor: Actor;
  /**
   * The record's shop, as a value or a column of `from`. Without it, the record goes into the
   * directory's log.
   */
  readonly shopId?: string | Fragment | undefined;
  readonly connectionId?: string | Fragment | undefined;
  readonly clientId?: string | Fragment | undefined;
  readonly merchantId?: string | Fragment | undefined;
  /** A jsonb expression. */
  readonly detail: Fragment;
}

interface RecordOfRows extends AuditedColumns {
  /** The source of the rows, such as `FROM revoked`. */
  readonly from: Fragment;
}

/** The columns that an insert returns. The roles that insert records may read only these. */
interface Recorded extends Record<RecordedId, string | null> {
  /** RFC 3339 if it comes from JSON. */
  readonly at: Date | string;
}
type RecordedId = "client_id" | "shop_id" | "connection_id" | "merchant_id";

function insertSql(
  sql: Queries,
  { action, actor, detail, ...columns }: AuditedColumns & { from?: Fragment },
): Fragment {
  const { shopId, connectionId, clientId, merchantId, from } = columns;
  const who = sql`${actor.name}, ${actor.ip ?? null}::inet, ${actor.requestId ?? null}`;
  const what = sql`${action}, ${clientId ?? null}, ${merchantId ?? null}, ${detail}, ${who}`;
  const names = sql`event, client_id, merchant_id, details, actor, ip, request_id`;
  const [into, values, ids] =
    shopId === undefined
      ? [sql`directory.audit_log (${names})`, what, sql`NULL AS shop_id, NULL AS connection_id`]
      : [
          sql`oauth.audit_log (shop_id, connection_id, ${names})`,
          sql`${shopId}, ${connectionId ?? null}, ${what}`,
          sql`shop_id, connection_id`,
        ];
  const rows = from === undefined ? sql`VALUES (${values})` : sql`SELECT ${values} ${from}`;
  return sql`INSERT INTO ${into} ${rows} RETURNING at, client_id, merchant_id, ${ids}`;
}

/** Logs each record without its details and network address, which may name people. */
function logAfterCommit(
  sql: Queries,
  { action, actor }: AuditedColumns,
  recorded: readonly Recorded[],
): void {
  for (const { at, ...ids } of recorded) {
    sql.afterCommit({
      at: new Date(at).toISOString(),
      action,
      actor: actor.name,
      ...ids,
      request_id: actor.requestId ?? null,
    });
  }
}

export interface Actor {
  /** `merchant:<id>`, `client:<client id>`, `operator:<name>`, `product:<key name>` or `system`. */
  readonly name: string;
  /** The network address of the request, if any. */
  readonly ip?: string | undefined;
  /** The `x-request-id`, if any. */
  readonly requestId?: string | undefined;
}

/** The actions: an object and a verb. A verb alone is about a connection, except `purge`. */
export const AUDIT_ACTIONS = [
  "approve",
  "exchange",
  "revoke",
  "disable",
  "enable",
  "expire",
  "code_replay",
  "client_create",
  "client_update",
  "client_disable",
  "client_enable",
  "client_rotate_secret",
  "client_end_secret",
  "client_delete",
  "webhook_add",
  "webhook_remove",
  "webhook_pause",
  "webhook_resume",
  "webhook_rotate_secret",
  "webhook_test",
  "api_key_create",
  "api_key_revoke",
  "product_key_create",
  "product_key_revoke",
  "shop_create",
  "shop_rename",
  "shop_set_plan",
  "shop_erase_request",
  "shop_erase",
  "shop_end_test",
  "shop_change_test",
  "member_add",
  "member_remove",
  "partner_add",
  "partner_remove",
  "partner_disconnect",
  "merchant_create",
  "merchant_update",
  "merchant_erase_request",
  "merchant_erase",
  "merchant_disable",
  "merchant_enable",
  "merchant_set_password",
  "merchant_reset_link",
  "merchant_add_passkey",
  "merchant_remove_passkey",
  "merchant_join_identity",
  "merchant_forget_identity",
  "merchant_sign_in",
  "merchant_sign_out_everywhere",
  "merchant_end_all_sessions",
  "sign_in_throttled",
  "second_step_ask",
  "signing_key_generate",
  "signing_key_activate",
  "signing_key_retire",
  "response_import",
  "response_recategorize",
  "response_delete",
  "question_import",
  "question_delete",
  "audit_prune",
  "forget",
  "purge",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * An audit record to insert, with the ids of everything that it concerns, so that each id finds it.
 */
interface AuditEvent {
  readonly action: AuditAction;
  /** The record's shop. Without it, the record goes into the directory's log. */
  readonly shopId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly connectionId?: string | undefined;
  /** The merchant that the record is about, who may not be the actor. */
  readonly merchantId?: string | undefined;
  /** Further details, such as the former value. No secrets, and no customers' data. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}
