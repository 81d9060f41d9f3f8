import type { Queries, Row, Statement } from "@partner-connect/database";
import type { Actor } from "./actor.ts";
import type { AuditAction, AuditEvent } from "./audit-event.ts";

/** A part of a statement. */
type Fragment = Statement<Row[]>;

/** What records concern: values, or columns of the rows that they are made from. */
export interface AuditedColumns {
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

/**
 * The INSERT of the audit log: of one record, or with `from` of a record for each row. As part of another statement it commits with
 * that statement's change.
 */
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
