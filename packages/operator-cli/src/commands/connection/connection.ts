import type { Connection, ConnectionFilter, ListedConnection } from "@partner-connect/connections";
import { type Command, Option } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import type { Printable } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, table } from "../../terminal/table.ts";
import { connectionJson, STATUSES, statusCell } from "./connection-answer.ts";
import { addChangeCommands } from "./connection-change.ts";
import { addRevokeCommand } from "./connection-revoke.ts";
import { addShowCommand } from "./connection-show.ts";

export function addConnectionCommands(program: Command, context: Context): void {
  const connection = commandGroup(program, "connection", "Which client is connected to which shop", EXAMPLES);
  addListCommand(connection, context);
  addShowCommand(connection, context);
  addRevokeCommand(connection, context);
  addChangeCommands(connection, context);
}

interface List extends PageOptions {
  readonly shop?: string;
  readonly client?: string;
  readonly status?: Connection["status"];
}

function addListCommand(connection: Command, context: Context): void {
  const command = connection.command("list").description("List connections, ended ones too, the newest last");
  listing(command, "<connection>", "the client's or the shop's name")
    .option("--shop <shop>", "only the connections of this shop")
    .option("--client <client>", "only the connections of this client")
    .addOption(new Option("--status <status>", "only the connections that are so now").choices(STATUSES))
    .action(
      onDatabase(context, async (stack, asked: List) => {
        const { shown, note } = await pageOf(
          asked,
          ({ shop: shopId, client: clientId, ...page }) => list(stack, { shopId, clientId, ...page }),
          ({ id }) => id,
        );
        return { json: shown.map(connectionJson), text: connectionTable(shown), note };
      }),
    );
}

/** A shop or a client that does not exist is an error, not an empty list. */
async function list({ sql, refreshTokenTtlSeconds }: OpenStack, filter: ConnectionFilter): Promise<ListedConnection[]> {
  const { listConnections } = await import("@partner-connect/connections");
  const { requireClient, requireShop } = await import("@partner-connect/directory");
  if (filter.shopId !== undefined) await requireShop(sql, filter.shopId);
  if (filter.clientId !== undefined) await requireClient(sql, filter.clientId);
  return await listConnections(sql, filter, refreshTokenTtlSeconds);
}

function connectionTable(connections: readonly ListedConnection[]): Printable {
  return table(
    ["ID", cutColumn("CLIENT"), cutColumn("SHOP"), "STATUS", ...EXTRAS],
    connections.map((each) => [
      each.id,
      each.clientName,
      each.shopName,
      statusCell(each.status),
      each.lastUsedAt ?? "never",
      each.connectedAt ?? "not finished yet",
      each.scope.join(" "),
      each.shopId,
      each.clientId,
    ]),
    "There are no such connections.",
  );
}

const EXTRAS = ["LAST USED", "CONNECTED", "SCOPE", "SHOP ID", "CLIENT ID"].map(extraColumn);

const EXAMPLES = `
  $ partner-connect connection list --shop shop_0195…
  $ partner-connect connection list --client client_5d2c… --status connected --limit 20
  $ partner-connect connection list --search hats --limit 20 --after con_0195…
  $ partner-connect connection show con_0195…
  $ partner-connect connection revoke con_0195…
  $ partner-connect connection revoke con_0195… --dry-run
  $ partner-connect connection revoke --client client_5d2c… --yes
  $ partner-connect connection revoke --shop shop_0195… --dry-run
  $ partner-connect connection disable con_0195… --yes
  $ partner-connect connection enable con_0195…`;
