import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import type { Context } from "../../run/context.ts";
import { commandGroup } from "../command-group.ts";
import { addClockCommands } from "./sandbox-clock.ts";
import { addTriggerCommands } from "./sandbox-trigger.ts";

export function addSandboxCommands(program: Command, context: Context): void {
  const description = "The clock and the triggers of a sandbox, which 'pnpm sandbox' starts";
  const sandbox = commandGroup(program, "sandbox", description, EXAMPLES).addHelpText("after", FOLDER);
  addClockCommands(sandbox, context, EXAMPLES);
  addTriggerCommands(sandbox, context, EXAMPLES);
}

const EXAMPLES = examples(`
  $ partner-connect sandbox now
  $ partner-connect sandbox advance 15m
  $ partner-connect sandbox advance 31d
  $ partner-connect sandbox triggers
  $ partner-connect sandbox trigger token-expiry
  $ partner-connect sandbox trigger revoke --connection con_0195…
  $ partner-connect sandbox trigger recategorize --shop shop_0195… --count 100
  $ partner-connect sandbox trigger unavailable --seconds 30`);

const FOLDER = `
The sandbox is the one of DATA_DIR (default: .data/sandbox). Its clock begins with the machine's, and only goes forward.`;
