import { type Actor, changeWithRecords } from "@partner-connect/audit";
import type { Scope } from "@partner-connect/contract";
import type { Queries } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";
import { auditOfChange, mailConnected } from "./audit-and-mail.ts";

export interface Approval {
  readonly shopId: string;
  readonly clientId: string;
  readonly merchantId: string;
  /** New for each authorization. */
  readonly grantId: string;
  readonly scope: readonly Scope[];
  /**
   * The registered redirect URI that receives the code, without the port of a loopback request.
   * Absent or null if unknown.
   */
  readonly redirectUri?: string | null;
}

/**
 * Writes the new grant and scope, which invalidates older refresh tokens at commit; access tokens
 * stay valid, within the new scope. Queues mails if a connected app gets more permissions. Null if
 * the connection is on hold. Index: connections_pkey.
 */
export async function approve(
  sql: Queries,
  approval: Approval,
  actor: Actor,
): Promise<{ connectionId: string } | null> {
  const detail = sql`jsonb_build_object('grant_id', grant_id, 'scope', scope)`;
  const record = auditOfChange(sql, "approve", actor, sql`FROM approved`, detail);
  const changes = sql`
    approved AS (
      INSERT INTO oauth.connections AS c (shop_id, client_id, status, grant_id, scope, merchant_id, redirect_uri)
      VALUES (${approval.shopId}, ${approval.clientId}, ${TRANSITIONS.approve.none}, ${approval.grantId},
              ${[...approval.scope]}, ${approval.merchantId}, ${approval.redirectUri ?? null})
      ON CONFLICT (shop_id, client_id) DO UPDATE SET
        status = ${sql.json(TRANSITIONS.approve)}::jsonb ->> c.status,
        grant_id = excluded.grant_id, scope = excluded.scope, merchant_id = excluded.merchant_id,
        redirect_uri = excluded.redirect_uri,
        approved_at = excluded.approved_at, exchanged_at = NULL, refresh_token_hash = NULL
      WHERE NOT c.disabled
      RETURNING c.id, c.shop_id, c.client_id, c.grant_id, c.scope,
        CASE WHEN old.status = 'connected' THEN old.scope END AS scope_before -- "old": Postgres 18
    )`;
  const select = sql<{ id: string; scopeBefore: string[] | null }[]>`
    SELECT id, scope_before AS "scopeBefore" FROM approved`;
  const [row] = await changeWithRecords(sql, record, changes, select);
  if (!row) return null;
  const { id, scopeBefore } = row;
  const added =
    scopeBefore === null ? [] : approval.scope.filter((scope) => !scopeBefore.includes(scope));
  if (added.length > 0) await mailConnected(sql, "app_widened", { ...approval, id }, added);
  return { connectionId: id };
}

/**
 * True if the grant's code may be sent again: the grant is current, neither revoked nor on hold,
 * and was exchanged at most `graceSeconds` ago, if at all. Index: connections_pkey.
 */
export async function isResendable(
  sql: Queries,
  { shopId, clientId, grantId }: Pick<Approval, "shopId" | "clientId" | "grantId">,
  graceSeconds: number,
): Promise<boolean> {
  const rows = await sql`
    SELECT FROM oauth.connections
    WHERE shop_id = ${shopId} AND client_id = ${clientId} AND grant_id = ${grantId}
      AND status <> 'revoked' AND NOT disabled
      AND (exchanged_at IS NULL OR exchanged_at > now() - make_interval(secs => ${graceSeconds}))`;
  return rows.length > 0;
}
