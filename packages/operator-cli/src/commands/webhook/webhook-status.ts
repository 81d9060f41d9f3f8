import type { Webhook } from "@partner-connect/connections/webhooks";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { webhookJson } from "./webhook-show.ts";

export function addStatusCommands(webhook: Command, context: Context): void {
  const commands = [
    ["pause", "paused", "Send an endpoint no hints until 'resume'; the feed goes on"],
    ["resume", "active", "Send a paused endpoint hints again, at once if its feed has moved"],
  ] as const;
  for (const [name, status, description] of commands) {
    webhook
      .command(name)
      .description(description)
      .argument("<webhook>", "the endpoint's id")
      .action(onDatabase(context, (stack, id: string) => setStatus(stack, id, status)));
  }
}

async function setStatus({ sql, actor }: OpenStack, id: string, status: Webhook["status"]): Promise<Answer> {
  const { findWebhook, setWebhookStatus } = await import("@partner-connect/connections/webhooks");
  await setWebhookStatus(sql, await findWebhook(sql, id), status, actor);
  return { json: webhookJson(await findWebhook(sql, id)), text: `Endpoint ${id} is ${status}.` };
}

export function addRemoveCommand(webhook: Command, context: Context): void {
  destructive(webhook.command("remove"))
    .description("Remove an endpoint for good, with its secrets")
    .argument("<webhook>", "the endpoint's id")
    .action(
      onDatabase(context, async ({ sql, actor }, id: string, consent: Consent) => {
        const { findWebhook, removeWebhook } = await import("@partner-connect/connections/webhooks");
        const webhook = await findWebhook(sql, id);
        const effect = `Endpoint ${id} (${webhook.url}) of ${webhook.clientId} is removed for good: it gets no hints, and its secret ends.`;
        return await carryOut(context, consent, [effect], async () => {
          await removeWebhook(sql, webhook, actor);
          return { json: { id, status: "removed" }, text: `Endpoint ${id} is removed.` };
        });
      }),
    );
}
