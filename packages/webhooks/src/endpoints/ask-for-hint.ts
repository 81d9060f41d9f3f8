import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { newHint } from "../hints/hint.ts";
import { WebhookError } from "../webhook-error.ts";
import { unknownWebhook, type Webhook } from "./webhook.ts";

/** `test`: a hint that names no kind. `redeliver`: the last one again, with the same id. */
export type Asked = "test" | "redeliver";

/**
 * Asks by the endpoint's row that a hint be sent once, also while it is paused; the notifier sends it. It replaces what was asked
 * before. Returns the hint's id. @throws {WebhookError} UNKNOWN_WEBHOOK; CLIENT_DISABLED; NO_HINT: there was none to send again
 */
export async function askForHint(
  sql: Sql,
  { clientId, id }: Pick<Webhook, "clientId" | "id">,
  what: Asked,
  actor: Actor,
): Promise<string> {
  return await transaction(sql, async (tx) => {
    const clients = await tx`SELECT FROM directory.clients WHERE client_id = ${clientId} AND status = 'active'`;
    if (clients.length === 0) throw new WebhookError("CLIENT_DISABLED", `there is no active client ${clientId}`);
    const test = what === "test" ? JSON.stringify(newHint([])) : null;
    const [asked] = await tx<{ id: string | null }[]>`
      UPDATE oauth.webhooks SET asked = coalesce(${test}::text::jsonb, hint) WHERE client_id = ${clientId} AND id = ${id}
      RETURNING asked ->> 'id' AS id`;
    if (!asked) throw unknownWebhook(id);
    if (asked.id === null) throw new WebhookError("NO_HINT", "no hint was sent to this endpoint yet");
    const detail = { webhook_id: id, hint_id: asked.id };
    await recordAudit(tx, { action: `webhook_${what}`, clientId, detail }, actor);
    return asked.id;
  });
}
