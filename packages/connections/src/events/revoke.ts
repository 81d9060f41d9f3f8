import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";

/** Names one connection. On a cluster, statements are routed by the shop's id. */
export interface ConnectionKey {
  readonly shopId: string;
  readonly id: string;
}

/**
 * Ends the connection: from the commit on its refresh token and its access tokens are refused for good. False if it was
 * revoked already. With `grantId` it is ended only if that is still its grant. Index: connections_shop_id_id_key.
 */
export async function revoke(
  sql: Sql,
  connection: ConnectionKey,
  actor: Actor,
  options: { readonly reason?: string; readonly grantId?: string } = {},
): Promise<boolean> {
  const rows = await sql`
    WITH revoked AS (
      UPDATE oauth.connections
      SET status = ${sql.json(TRANSITIONS.revoke)}::jsonb ->> status, generation = generation + 1
      WHERE shop_id = ${connection.shopId} AND id = ${connection.id}
        AND ${sql.json(TRANSITIONS.revoke)}::jsonb ? status
        AND grant_id = coalesce(${options.grantId ?? null}, grant_id)
      RETURNING id, shop_id, client_id, grant_id
    ), audited AS (
      INSERT INTO oauth.audit_log (shop_id, client_id, connection_id, event, actor, ip, request_id, details)
      SELECT shop_id, client_id, id, 'revoke', ${actor.name}, ${actor.ip ?? null}::inet, ${actor.requestId ?? null},
             jsonb_build_object('grant_id', grant_id, 'reason', ${options.reason ?? null}::text)
      FROM revoked
    )
    SELECT id FROM revoked`;
  return rows.length === 1;
}
