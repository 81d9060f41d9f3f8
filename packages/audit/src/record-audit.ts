import type { Queries, Row, Statement } from "@partner-connect/database";

type Fragment = Statement<Row[]>;

/** Writes the record of an event. Call it in the transaction of the change, so that both are committed or neither is. */
export async function recordAudit(sql: Queries, event: AuditEvent, actor: Actor): Promise<void> {
  const { action, detail = {}, ...columns } = event;
  const record = { action, actor, ...columns, detail: sql`${JSON.stringify(detail)}::text::jsonb` };
  logAfterCommit(sql, record, await sql<Recorded[]>`${insertion(sql, record)}`);
}

/** Writes a record for each row of `record.from`. */
export async function recordAuditOfEach(sql: Queries, record: RecordOfRows): Promise<void> {
  logAfterCommit(sql, record, await sql<Recorded[]>`${insertion(sql, record)}`);
}

/**
 * Runs a statement that makes a change and its records, one for each row of `record.from`.
 * @param changes its common table expressions, such as `revoked AS (UPDATE … RETURNING …)`
 * @param select its result, which has a row if there is a record
 */
export async function changeWithRecords<Result extends Row>(
  sql: Queries,
  record: RecordOfRows,
  changes: Fragment,
  select: Fragment,
): Promise<Result[]> {
  const rows = await sql<(Result & { readonly audited: readonly Recorded[] | null })[]>`
    WITH ${changes}, audited AS (${insertion(sql, record)})
    SELECT result.*, (SELECT jsonb_agg(audited) FROM audited) AS audited FROM (${select}) AS result`;
  logAfterCommit(sql, record, rows[0]?.audited ?? []);
  return rows;
}

interface AuditedColumns {
  readonly action: AuditAction;
  readonly actor: Actor;
  /** With a shop the record belongs to that shop; without one, to the directory. Values, or columns of `from`. */
  readonly shopId?: string | Fragment | undefined;
  readonly connectionId?: string | Fragment | undefined;
  readonly clientId?: string | Fragment | undefined;
  readonly merchantId?: string | Fragment | undefined;
  /** As jsonb. */
  readonly detail: Fragment;
}

interface RecordOfRows extends AuditedColumns {
  /** Such as `FROM revoked`. */
  readonly from: Fragment;
}

/** What Postgres adds to an action and its actor. The roles that write records may read these columns, and no others. */
interface Recorded {
  /** RFC 3339, where it comes as JSON. */
  readonly at: Date | string;
  readonly client_id: string | null;
  readonly shop_id: string | null;
  readonly connection_id: string | null;
  readonly merchant_id: string | null;
}

function insertion(
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

/** Passes each record to the process's log, without its details and network address: they may name people. */
function logAfterCommit(sql: Queries, { action, actor }: AuditedColumns, recorded: readonly Recorded[]): void {
  for (const { at, client_id, shop_id, connection_id, merchant_id } of recorded) {
    sql.afterCommit({
      at: new Date(at).toISOString(),
      action,
      actor: actor.name,
      client_id,
      shop_id,
      connection_id,
      merchant_id,
      request_id: actor.requestId ?? null,
    });
  }
}

export interface Actor {
  /** `merchant:<id>`, `client:<client id>`, `operator:<name>` or `system`. */
  readonly name: string;
  /** The address that the request came from, where there is one. */
  readonly ip?: string | undefined;
  /** As in `x-request-id`, where there is a request. */
  readonly requestId?: string | undefined;
}

/** What somebody did: an object and a verb. The events of a connection have its verbs alone. */
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
  "shop_create",
  "shop_rename",
  "shop_set_plan",
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
  "merchant_erase",
  "merchant_disable",
  "merchant_enable",
  "merchant_set_password",
  "merchant_reset_link",
  "merchant_add_passkey",
  "merchant_rename_passkey",
  "merchant_remove_passkey",
  "merchant_join_identity",
  "merchant_forget_identity",
  "merchant_sign_in",
  "merchant_sign_out_everywhere",
  "merchant_end_all_sessions",
  "sign_in_throttled",
  "signing_key_generate",
  "signing_key_activate",
  "signing_key_retire",
  "response_import",
  "response_recategorize",
  "response_delete",
  "question_import",
  "audit_prune",
  "forget",
  "purge",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One record to be. Whatever it concerns is named, so that it is found by it. */
interface AuditEvent {
  readonly action: AuditAction;
  /** With a shop the record belongs to that shop; without one, to the directory. */
  readonly shopId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly connectionId?: string | undefined;
  /** The merchant whom it concerns. Who did it is the actor. */
  readonly merchantId?: string | undefined;
  /** What else is worth knowing, such as the value before. No secret, and nothing that customers said. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}
