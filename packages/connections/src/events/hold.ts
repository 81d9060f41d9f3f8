import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { recordChange } from "./record-change.ts";
import type { ConnectionKey } from "./revoke.ts";

/**
 * Puts an operator's hold on the connection. While it lasts, every token of the connection is refused, and the merchant can't
 * approve it again. Access tokens issued before stay refused when it ends. False if it is held already.
 */
export async function disable(sql: Sql, connection: ConnectionKey, actor: Actor): Promise<boolean> {
  return await setHold(sql, connection, actor, true);
}

/** Ends the hold. The connection is what it was before, with the same refresh token. False if it isn't held. */
export async function enable(sql: Sql, connection: ConnectionKey, actor: Actor): Promise<boolean> {
  return await setHold(sql, connection, actor, false);
}

/** Index: connections_shop_id_id_key. */
async function setHold(sql: Sql, connection: ConnectionKey, actor: Actor, disabled: boolean): Promise<boolean> {
  const rows = await sql`
    WITH changed AS (
      UPDATE oauth.connections SET disabled = ${disabled}, generation = generation + ${disabled ? 1 : 0}
      WHERE shop_id = ${connection.shopId} AND id = ${connection.id} AND disabled <> ${disabled}
      RETURNING id, shop_id, client_id, grant_id
    ), audited AS (
      ${recordChange(sql, disabled ? "disable" : "enable", actor, sql`FROM changed`)}
    )
    SELECT id FROM changed`;
  return rows.length === 1;
}
