import { appendTogether } from "@partner-connect/changes";
import type { Queries, Transaction } from "@partner-connect/database";
import type { Webhook } from "./webhook.ts";

/**
 * Tells in the client's feed that one of its endpoints was paused or goes on. The entry concerns no connection, and of a client there is
 * one; its status is `statusOfWebhooks`.
 */
export async function noteStatus(tx: Transaction, clientId: string): Promise<void> {
  await appendTogether(tx, [{ clientId, connectionId: "", shopId: null, kind: "webhook", at: new Date() }]);
}

/** `paused` while one of the client's endpoints is. Index: webhooks_pkey. */
export async function statusOfWebhooks(sql: Queries, clientId: string): Promise<Webhook["status"]> {
  const paused = await sql`SELECT FROM oauth.webhooks WHERE client_id = ${clientId} AND status = 'paused' LIMIT 1`;
  return paused.length > 0 ? "paused" : "active";
}
