import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { ConnectionKey } from "./revoke.ts";

/** Records that a code was presented again soon after its exchange, which changes nothing. */
export async function noteReplay(sql: Sql, connection: ConnectionKey, clientId: string, actor: Actor): Promise<void> {
  await sql`
    INSERT INTO oauth.audit_log (shop_id, client_id, connection_id, event, actor, ip, request_id)
    VALUES (${connection.shopId}, ${clientId}, ${connection.id}, 'code_replay', ${actor.name},
            ${actor.ip ?? null}::inet, ${actor.requestId ?? null})`;
}
