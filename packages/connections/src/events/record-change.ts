import { type Actor, type AuditAction, insertAudit } from "@partner-connect/audit";
import type { Queries, Row, Statement } from "@partner-connect/database";

/** The records of an event, as part of the statement that changes the connections. `from` has columns id, shop_id, client_id. */
export function recordChange(
  sql: Queries,
  action: AuditAction,
  actor: Actor,
  from: Statement<Row[]>,
  detail: Statement<Row[]> = sql`jsonb_build_object('grant_id', grant_id)`,
): Statement<Row[]> {
  const columns = { shopId: sql`shop_id`, connectionId: sql`id`, clientId: sql`client_id`, detail };
  return insertAudit(sql, action, actor, columns, from);
}
