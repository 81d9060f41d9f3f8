import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, transaction } from "@partner-connect/database";
import { newHint } from "../hints/hint.ts";
import { WebhookError } from "../webhook-error.ts";
import { unknownWebhook, type Webhook } from "./webhook.ts";

/**
 * Asks by the endpoint's row for a test: a hint that names no kind, sent once by the worker, also while the endpoint is paused. It
 * replaces a test that still waits. Returns the hint's id. @throws {WebhookError} UNKNOWN_WEBHOOK; CLIENT_DISABLED
 */
export async function askForTest(
  sql: Queries,
  { clientId, id }: Pick<Webhook, "clientId" | "id">,
  actor: Actor,
): Promise<string> {
  return await transaction(sql, async (tx) => {
    const clients = await tx`SELECT FROM directory.clients WHERE client_id = ${clientId} AND status = 'active'`;
    if (clients.length === 0) throw new WebhookError("CLIENT_DISABLED", `there is no active client ${clientId}`);
    const test = newHint([]);
    const updated = await tx`
      UPDATE oauth.webhooks SET asked = ${JSON.stringify(test)}::text::jsonb WHERE client_id = ${clientId} AND id = ${id}`;
    if (updated.count === 0) throw unknownWebhook(id);
    const detail = { webhook_id: id, hint_id: test.id };
    await recordAudit(tx, { action: "webhook_test", clientId, detail }, actor);
    return test.id;
  });
}
