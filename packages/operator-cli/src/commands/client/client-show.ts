import type { ClientDetails, ClientSummary } from "@partner-connect/directory";
import { type Command, Option } from "commander";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { type Printable, paragraphs } from "../../terminal/screen.ts";
import { cutColumn, fields, table } from "../../terminal/table.ts";
import { webhookJson, webhookTable } from "../webhook/webhook-show.ts";
import { clientFields, clientJson, wholeClientJson } from "./client-answer.ts";
import { type ConnectionCounts, countsOf } from "./connection-counts.ts";

interface List extends PageOptions {
  readonly status?: "active" | "disabled";
}

export function addListCommand(client: Command, context: Context): void {
  listing(client.command("list").description("List clients, the newest last"), "<client>", "the name or company")
    .addOption(new Option("--status <status>", "only the clients that are so now").choices(["active", "disabled"]))
    .action(
      onDatabase(context, async ({ sql }, asked: List) => {
        const { listClients } = await import("@partner-connect/directory");
        const { shown, note } = await pageOf(
          asked,
          (page) => listClients(sql, page),
          ({ clientId }) => clientId,
        );
        const json = shown.map((each) => ({ ...clientJson(each), status: each.status }));
        return { json, text: clientTable(shown), note };
      }),
    );
}

function clientTable(clients: readonly ClientSummary[]): Printable {
  return table(
    ["CLIENT ID", cutColumn("NAME"), "STATUS", cutColumn("SCOPE"), cutColumn("REDIRECT URIS")],
    clients.map(({ clientId, name, status, scope, redirectUris }) => [
      clientId,
      name,
      status,
      scope.join(" "),
      redirectUris.join(" "),
    ]),
    "There are no such clients.",
  );
}

export function addShowCommand(client: Command, context: Context): void {
  client
    .command("show")
    .description("Show all of a client: what merchants see, its redirect URIs, secrets, connections and endpoints")
    .argument("<client>", "the client's id")
    .action(
      onDatabase(context, async (stack, id: string) => {
        const { clientDetails } = await import("@partner-connect/directory");
        const details = await clientDetails(stack.sql, id);
        const counts = await countsOf(stack, id);
        const { listWebhooks } = await import("@partner-connect/connections/webhooks");
        const webhooks = await listWebhooks(stack.sql, { clientId: id });
        const text = paragraphs(detailsText(details, counts, stack.publicBaseUrl), webhookTable(webhooks));
        return { json: { ...detailsJson(details, counts), webhooks: webhooks.map(webhookJson) }, text };
      }),
    );
}

function detailsJson({ client, createdAt, secrets }: ClientDetails, counts: ConnectionCounts) {
  return {
    ...wholeClientJson(client),
    created_at: createdAt.toISOString(),
    secrets: secrets.map((secret) => ({
      created_at: secret.createdAt.toISOString(),
      expires_at: secret.expiresAt?.toISOString() ?? null,
      last_used_at: secret.lastUsedAt?.toISOString() ?? null,
    })),
    connections: counts.byStatus,
    connected_by_redirect_uri: client.redirectUris.map((uri) => ({
      redirect_uri: uri,
      connections: cameBy(counts, uri),
    })),
  };
}

function detailsText({ client, createdAt, secrets }: ClientDetails, counts: ConnectionCounts, base: string | null) {
  const connections = Object.entries(counts.byStatus).filter(([, count]) => count > 0);
  return paragraphs(
    fields([
      ...clientFields(client, base),
      ["created", createdAt],
      ["connections", connections.map(([status, count]) => `${count} ${status}`).join(", ") || "none"],
    ]),
    table(
      [cutColumn("REDIRECT URI"), "CONNECTED BY IT"],
      client.redirectUris.map((uri) => [uri, String(cameBy(counts, uri))]),
      "There are no redirect URIs.",
    ),
    table(
      ["SECRET MADE", "LAST USED (HOUR)", "WORKS UNTIL"],
      secrets.map((secret) => [secret.createdAt, secret.lastUsedAt ?? "not yet", secret.expiresAt ?? "it is rotated"]),
      "No secret works.",
    ),
  );
}

function cameBy(counts: ConnectionCounts, uri: string): number {
  return counts.connectedOnes(({ redirectUri }) => redirectUri === uri);
}
