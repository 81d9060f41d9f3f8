import type { Actor, AuditAction } from "@partner-connect/audit";
import type { Queries, Row, Statement } from "@partner-connect/database";

/** Inserts an audit record for each row of `from`, which has columns id, shop_id and client_id. */
export function changeRecord(
  sql: Queries,
  action: AuditAction,
  actor: Actor,
  from: Statement<Row[]>,
  detail: Statement<Row[]> = sql`jsonb_build_object('grant_id', grant_id)`,
) {
  return { action, actor, shopId: sql`shop_id`, connectionId: sql`id`, clientId: sql`client_id`, detail, from };
}
