import type { Queries, Row, Statement } from "@partner-connect/database";

type Fragment = Statement<Row[]>;

/** What records concern: values, or columns of the rows that they are made from. */
interface AuditedColumns {
  /** With a shop the record belongs to that shop; without one, to the directory. */
  readonly shopId?: string | Fragment | undefined;
  readonly connectionId?: string | Fragment | undefined;
  readonly clientId?: string | Fragment | undefined;
  readonly merchantId?: string | Fragment | undefined;
  /** As jsonb. */
  readonly detail: Fragment;
}

/** Writes the record of an event. Call it in the transaction of the change: neither is ever there without the other. */
export async function recordAudit(sql: Queries, event: AuditEvent, actor: Actor): Promise<void> {
  const { action, detail = {}, ...columns } = event;
  await insertAudit(sql, action, actor, { ...columns, detail: sql`${JSON.stringify(detail)}::text::jsonb` });
}

/** The INSERT of the audit log: of one record, or with `from` of one for each row. It may be part of another statement. */
export function insertAudit(
  sql: Queries,
  action: AuditAction,
  actor: Actor,
  { shopId, connectionId, clientId, merchantId, detail }: AuditedColumns,
  from?: Fragment,
): Fragment {
  const who = sql`${actor.name}, ${actor.ip ?? null}::inet, ${actor.requestId ?? null}`;
  const what = sql`${action}, ${clientId ?? null}, ${merchantId ?? null}, ${detail}, ${who}`;
  const columns = sql`event, client_id, merchant_id, details, actor, ip, request_id`;
  const [into, values] =
    shopId === undefined
      ? [sql`directory.audit_log (${columns})`, what]
      : [sql`oauth.audit_log (shop_id, connection_id, ${columns})`, sql`${shopId}, ${connectionId ?? null}, ${what}`];
  return sql`INSERT INTO ${into} ${from === undefined ? sql`VALUES (${values})` : sql`SELECT ${values} ${from}`}`;
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
  "member_invite",
  "member_uninvite",
  "member_add",
  "member_remove",
  "member_leave",
  "member_role",
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
  "merchant_make_recovery_codes",
  "merchant_use_recovery_code",
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
  "response_prune_deleted",
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
