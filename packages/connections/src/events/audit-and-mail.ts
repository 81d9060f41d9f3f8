import type { Actor, AuditAction } from "@partner-connect/audit";
import type { Queries, Row, Statement } from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";

/** The audit record for each row of `from`, which has columns id, shop_id and client_id. */
export function auditOfChange(
  sql: Queries,
  action: AuditAction,
  actor: Actor,
  from: Statement<Row[]>,
  detail: Statement<Row[]> = sql`jsonb_build_object('grant_id', grant_id)`,
) {
  const ids = { shopId: sql`shop_id`, connectionId: sql`id`, clientId: sql`client_id` };
  return { action, actor, ...ids, detail, from };
}

interface ChangedConnection {
  readonly id: string;
  readonly shopId: string;
  readonly clientId: string;
}

/**
 * Queues mails to the shop's members, in the transaction of the change. `scope` is the granted or
 * added scope.
 */
export async function mailConnected(
  sql: Queries,
  kind: "app_connected" | "app_widened",
  { id, shopId, clientId, merchantId }: ChangedConnection & { readonly merchantId: string },
  scope: readonly string[],
): Promise<void> {
  await mailMembers(sql, kind, [
    { of: shopId, about: { client_id: clientId, connection_id: id, by: merchantId, scope } },
  ]);
}

/** The reason for a revocation after a code was replayed late: someone may have copied the code. */
export const CODE_REPLAYED = "code replayed";

/** Queues mails about the end of a connection, unless a merchant of the shop ended it. */
export async function mailDisconnected(
  sql: Queries,
  actor: Actor,
  ended: ChangedConnection & { readonly app: string; readonly contact: string | null },
  reason: string | null,
): Promise<void> {
  const [who] = actor.name.split(":");
  if (who === "merchant") return;
  const by =
    reason === CODE_REPLAYED ? "replay" : who === "client" || who === "product" ? who : "operator";
  const { id, shopId, clientId, app, contact } = ended;
  const words = { ...(by === "operator" && reason && { reason }), ...(contact && { contact }) };
  const about = { client_id: clientId, connection_id: id, by, app, ...words } as const;
  await mailMembers(sql, "app_disconnected", [{ of: shopId, about }]);
}
