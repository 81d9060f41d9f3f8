import type { Actor } from "@partner-connect/audit";
import type { Connection, ConnectionKey } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { answer, table } from "../answer.ts";
import type { Context } from "../context.ts";
import { withDatabase } from "../database.ts";
import { examples } from "../examples.ts";
import { operatorActor } from "../operator-actor.ts";
import { OperatorError } from "../operator-error.ts";
import type { Printable } from "../screen.ts";
import { commandGroup } from "./command-group.ts";

type Change = (sql: Sql, connection: ConnectionKey, actor: Actor) => Promise<boolean>;

export function addConnectionCommands(program: Command, context: Context): void {
  const connection = commandGroup(program, "connection", "Which client is connected to which shop", EXAMPLES);
  connection
    .command("list")
    .description("List connections, ended ones too")
    .option("--shop <shop>", "only the connections of this shop")
    .option("--client <client>", "only the connections of this client")
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ shop, client }: { shop?: string; client?: string }) => {
        const { listConnections } = await import("@partner-connect/connections");
        const filter = {
          ...(shop !== undefined && { shopId: shop }),
          ...(client !== undefined && { clientId: client }),
        };
        const found = await withDatabase(context, (sql, stack) =>
          listConnections(sql, filter, stack.refreshTokenTtlSeconds),
        );
        return { json: found.map(connectionJson), text: connectionTable(found) };
      }),
    );
  const add = (verb: string, description: string, load: () => Promise<Change>) =>
    connection
      .command(verb)
      .description(description)
      .argument("<connection>", "the connection's id")
      .addHelpText("after", EXAMPLES)
      .action(
        answer(context, async (id: string) => {
          const changed = await change(context, id, await load());
          return { json: connectionJson(changed), text: `Connection ${id} is ${changed.status}.` };
        }),
      );
  add("revoke", "End a connection: its tokens are refused from now on; the merchant may connect again", async () => {
    const { revoke } = await import("@partner-connect/connections");
    return (sql, key, actor) => revoke(sql, key, actor, { reason: "operator" });
  });
  add(
    "disable",
    "Hold a connection: its tokens are refused, and the merchant can't connect it again until 'enable'",
    async () => {
      return (await import("@partner-connect/connections")).disable;
    },
  );
  add("enable", "End a hold: the connection is as it was before", async () => {
    return (await import("@partner-connect/connections")).enable;
  });
}

/** Makes the change, unless it was made before, and returns the connection as it is then. */
async function change(context: Context, id: string, make: Change): Promise<Connection> {
  const { listConnections } = await import("@partner-connect/connections");
  return await withDatabase(context, async (sql, stack) => {
    const find = async () => (await listConnections(sql, { id }, stack.refreshTokenTtlSeconds))[0];
    const connection = await find();
    if (connection) await make(sql, { shopId: connection.shopId, id }, operatorActor(context));
    const changed = connection && (await find());
    if (changed) return changed;
    throw new OperatorError(
      `there is no connection ${JSON.stringify(id)}; 'partner-connect connection list' lists them all`,
    );
  });
}

function connectionTable(connections: readonly Connection[]): Printable {
  return table(
    ["ID", "CLIENT", "SHOP", "STATUS", "SCOPE", "CONNECTED", "LAST USED"],
    connections.map((each) => [
      each.id,
      `${each.clientName} (${each.clientId})`,
      each.shopId,
      each.status,
      each.scope.join(" "),
      each.connectedAt?.toISOString() ?? "not finished yet",
      each.lastUsedAt?.toISOString() ?? "never",
    ]),
    "There are no connections.",
  );
}

function connectionJson(connection: Connection) {
  return {
    id: connection.id,
    client_id: connection.clientId,
    shop_id: connection.shopId,
    status: connection.status,
    scope: connection.scope.join(" "),
    connected_at: connection.connectedAt?.toISOString() ?? null,
    last_used_at: connection.lastUsedAt?.toISOString() ?? null,
  };
}

const EXAMPLES = examples(`
  $ partner-connect connection list --shop shop_0195…
  $ partner-connect connection revoke con_0195…
  $ partner-connect connection disable con_0195…
  $ partner-connect connection enable con_0195…`);
