import type { Command } from "commander";
import { commandGroup } from "../../options/command-group.ts";
import type { Context } from "../../run/context.ts";
import { addChangeCommands } from "./connection-change.ts";
import { addListCommand } from "./connection-list.ts";
import { addShowCommand } from "./connection-show.ts";

export function addConnectionCommands(program: Command, context: Context): void {
  const connection = commandGroup(program, "connection", "Which client is connected to which shop", EXAMPLES);
  addListCommand(connection, context);
  addShowCommand(connection, context);
  addChangeCommands(connection, context);
}

const EXAMPLES = `
  $ partner-connect connection list --shop shop_0195…
  $ partner-connect connection list --client client_5d2c… --status connected --limit 20
  $ partner-connect connection show con_0195…
  $ partner-connect connection revoke con_0195…
  $ partner-connect connection revoke con_0195… --dry-run
  $ partner-connect connection disable con_0195… --yes
  $ partner-connect connection enable con_0195…`;
