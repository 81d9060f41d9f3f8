import type { Delivery, Webhook } from "@partner-connect/connections/webhooks";
import type { Command } from "commander";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { type Printable, paragraphs } from "../../terminal/screen.ts";
import { type Cell, cutColumn, extraColumn, fields, table } from "../../terminal/table.ts";

export function addListCommand(webhook: Command, context: Context): void {
  listing(webhook.command("list").description("List endpoints, the newest last"), "<webhook>", "the URL")
    .option("--client <client>", "only those of this client: its id or whole name")
    .action(
      onDatabase(context, async ({ sql }, { client, ...asked }: PageOptions & { readonly client?: string }) => {
        const { listWebhooks } = await import("@partner-connect/connections/webhooks");
        const { clientByIdOrName } = await import("@partner-connect/directory");
        const clientId = client === undefined ? undefined : (await clientByIdOrName(sql, client)).id;
        const { shown, note } = await pageOf(
          asked,
          (page) => listWebhooks(sql, { clientId, ...page }),
          ({ id }) => id,
        );
        return { json: shown.map(webhookJson), text: webhookTable(shown), note };
      }),
    );
}

export function addShowCommand(webhook: Command, context: Context): void {
  webhook
    .command("show")
    .description("Show an endpoint with its last deliveries: the status, when, and how the answer began")
    .argument("<webhook>", "the endpoint's id")
    .action(
      onDatabase(context, async ({ sql }, id: string) => {
        const { findWebhook } = await import("@partner-connect/connections/webhooks");
        const found = await findWebhook(sql, id);
        const secrets = found.secrets.map(({ expires_at }) => ({ expires_at }));
        const json = { ...webhookJson(found), secrets, deliveries: found.deliveries.map(deliveryJson) };
        return { json, text: webhookText(found) };
      }),
    );
}

export function webhookJson({ id, clientId, url, status, failingSince, createdAt }: Webhook) {
  return {
    id,
    client_id: clientId,
    url,
    status,
    failing_since: failingSince?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

export function deliveryJson({ id, error, ...rest }: Delivery) {
  return { hint_id: id, arrived: error === null, error, ...rest };
}

/** Also what `client show` says of them. */
export function webhookTable(webhooks: readonly Webhook[]): Printable {
  return table(
    ["ENDPOINT", "STATUS", cutColumn("URL"), "FAILING SINCE", ...["CREATED", "CLIENT ID"].map(extraColumn)],
    webhooks.map((each) => [each.id, statusCell(each), each.url, each.failingSince, each.createdAt, each.clientId]),
    "There are no endpoints for hints.",
  );
}

function statusCell({ status, failingSince }: Webhook): Cell {
  if (status === "paused") return { text: failingSince ? "paused, as it failed" : "paused", style: "red" };
  return { text: status, style: failingSince ? "yellow" : "green" };
}

function webhookText(webhook: Webhook): Printable {
  const { id, clientId, url, status, failingSince, createdAt, secrets, deliveries } = webhook;
  const until = secrets.map(({ expires_at }) => expires_at ?? "it is rotated").join(" and until ");
  return paragraphs(
    fields([
      ["id", id],
      ["client_id", clientId],
      ["url", url],
      ["status", status],
      ["failing since", failingSince],
      ["created", createdAt],
      ["signed until", until],
    ]),
    table(
      ["SENT", "ANSWER", "MS", "HINT", cutColumn("WHY IT FAILED"), cutColumn("HOW THE ANSWER BEGAN")],
      deliveries.map(({ id, at, status, milliseconds, error, body }) => [
        new Date(at),
        { text: status === null ? "none" : String(status), style: error === null ? "green" : "red" },
        String(milliseconds),
        id,
        error,
        body || null,
      ]),
      "No hint was sent yet.",
    ),
  );
}
