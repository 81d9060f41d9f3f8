import type { ClientSummary } from "@partner-connect/directory";
import type { Command } from "commander";
import type { examples } from "../../options/examples.ts";
import { answer, table } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import type { Printable } from "../../terminal/screen.ts";
import { cutColumn } from "../../terminal/table.ts";
import { clientJson } from "./client-answer.ts";

export function addListCommand(client: Command, context: Context, shown: ReturnType<typeof examples>): void {
  client
    .command("list")
    .description("List all clients")
    .addHelpText("after", shown)
    .action(
      answer(context, async () => {
        const { listClients } = await import("@partner-connect/directory");
        const clients = await withDatabase(context, listClients);
        return {
          json: clients.map((each) => ({ ...clientJson(each), status: each.status })),
          text: clientTable(clients),
        };
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
    "There are no clients yet.",
  );
}
