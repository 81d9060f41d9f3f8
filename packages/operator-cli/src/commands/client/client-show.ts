import type { ClientDetails } from "@partner-connect/directory";
import type { Command } from "commander";
import type { examples } from "../../options/examples.ts";
import { answer, fields, table } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { cutColumn } from "../../terminal/table.ts";
import { clientFields, wholeClientJson } from "./client-answer.ts";
import { type ConnectionCounts, countsOf } from "./connection-counts.ts";

export function addShowCommand(client: Command, context: Context, shown: ReturnType<typeof examples>): void {
  client
    .command("show")
    .description("Show all of a client: what merchants see, its redirect URIs, secrets and connections")
    .argument("<client>", "the client's id")
    .addHelpText("after", shown)
    .action(
      answer(context, (id: string) =>
        withDatabase(context, async (sql, stack) => {
          const { clientDetails } = await import("@partner-connect/directory");
          const details = await clientDetails(sql, id);
          const counts = await countsOf(sql, id, stack);
          return { json: detailsJson(details, counts), text: detailsText(details, counts, stack.publicBaseUrl) };
        }),
      ),
    );
}

function detailsJson({ client, createdAt, secrets }: ClientDetails, counts: ConnectionCounts) {
  return {
    ...wholeClientJson(client),
    created_at: createdAt.toISOString(),
    secrets: secrets.map((secret) => ({
      created_at: secret.createdAt.toISOString(),
      expires_at: secret.expiresAt?.toISOString() ?? null,
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
      ["SECRET MADE", "WORKS UNTIL"],
      secrets.map((secret) => [secret.createdAt, secret.expiresAt ?? "it is rotated"]),
      "No secret works.",
    ),
  );
}

function cameBy(counts: ConnectionCounts, uri: string): number {
  return counts.connectedOnes(({ redirectUri }) => redirectUri === uri);
}
