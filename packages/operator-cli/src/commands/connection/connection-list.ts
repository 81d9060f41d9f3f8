import type { Connection, ConnectionFilter, ListedConnection } from "@partner-connect/connections";
import { type Command, Option } from "commander";
import { wholeNumber } from "../../options/whole-number.ts";
import type { Context } from "../../run/context.ts";
import { type OpenStack, onDatabase } from "../../run/database.ts";
import type { Printable } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, table } from "../../terminal/table.ts";
import { connectionJson, STATUSES, statusCell } from "./connection-answer.ts";

interface List {
  readonly shop?: string;
  readonly client?: string;
  readonly status?: Connection["status"];
  readonly limit?: number;
}

export function addListCommand(connection: Command, context: Context): void {
  connection
    .command("list")
    .description("List connections, ended ones too, the newest last")
    .option("--shop <shop>", "only the connections of this shop")
    .option("--client <client>", "only the connections of this client")
    .addOption(new Option("--status <status>", "only the connections that are so now").choices(STATUSES))
    .option("--limit <count>", "the newest so many", (text) => wholeNumber(text, "--limit", { min: 1, max: 100_000 }))
    .action(
      onDatabase(context, async (stack, { shop, client, status, limit }: List) => {
        const found = await list(stack, { shopId: shop, clientId: client, status, limit });
        const isFiltered = shop !== undefined || client !== undefined || status !== undefined;
        const none = isFiltered ? "There are no such connections." : "There are no connections.";
        return { json: found.map(connectionJson), text: connectionTable(found, none) };
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

function connectionTable(connections: readonly ListedConnection[], none: string): Printable {
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
    none,
  );
}

const EXTRAS = ["LAST USED", "CONNECTED", "SCOPE", "SHOP ID", "CLIENT ID"].map(extraColumn);
