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
export type AuditAction =
  | ("approve" | "exchange" | "revoke" | "disable" | "enable" | "code_replay" | "forget")
  | `client_${"create" | "update" | "disable" | "enable" | "rotate_secret"}`
  | `api_key_${"create" | "revoke"}`
  | `shop_${"create" | "rename" | "set_plan"}`
  | `member_${"invite" | "uninvite" | "add" | "remove"}`
  | `merchant_${"create" | "disable" | "enable" | "set_password" | "reset_link" | "sign_in" | "sign_out_everywhere"}`
  | `signing_key_${"generate" | "announce" | "activate" | "retire"}`
  | `response_${"import" | "recategorize" | "delete" | "prune_deleted"}`
  | ("question_import" | "sign_in_throttled" | "audit_prune" | "purge");

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
