import type { ISql } from "postgres";
import type { Actor } from "./actor.ts";
import type { AuditEvent } from "./audit-event.ts";

/** Writes the record of an event. Call it in the transaction of the change: neither is ever there without the other. */
export async function recordAudit(sql: ISql, event: AuditEvent, actor: Actor): Promise<void> {
  const { action, shopId, clientId = null, connectionId = null, merchantId = null, detail = {} } = event;
  const { name, ip = null, requestId = null } = actor;
  const details = JSON.stringify(detail);
  if (shopId === undefined) {
    await sql`
      INSERT INTO directory.audit_log (client_id, merchant_id, event, actor, ip, request_id, details)
      VALUES (${clientId}, ${merchantId}, ${action}, ${name}, ${ip}::inet, ${requestId}, ${details}::text::jsonb)`;
  } else {
    await sql`
      INSERT INTO oauth.audit_log (shop_id, client_id, connection_id, merchant_id, event, actor, ip, request_id, details)
      VALUES (${shopId}, ${clientId}, ${connectionId}, ${merchantId}, ${action}, ${name}, ${ip}::inet, ${requestId},
              ${details}::text::jsonb)`;
  }
}
