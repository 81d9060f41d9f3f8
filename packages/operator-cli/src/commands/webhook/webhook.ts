import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import type { Context } from "../../run/context.ts";
import { addAddCommand, addRotateSecretCommand } from "./webhook-add.ts";
import { addListCommand, addShowCommand } from "./webhook-show.ts";
import { addRemoveCommand, addStatusCommands } from "./webhook-status.ts";
import { addTestCommand } from "./webhook-test.ts";

export function addWebhookCommands(program: Command, context: Context): void {
  const webhook = commandGroup(
    program,
    "webhook",
    "Partners' endpoints: where hints that a feed has moved are sent",
    EXAMPLES,
  );
  for (const add of [
    addAddCommand,
    addListCommand,
    addShowCommand,
    addTestCommand,
    addStatusCommands,
    addRotateSecretCommand,
    addRemoveCommand,
  ]) {
    add(webhook, context);
  }
}

const EXAMPLES = `
  $ partner-connect webhook add --client client_5d2c… --url https://acme.example/hooks/partner-connect
  $ partner-connect webhook list --client client_5d2c…
  $ partner-connect webhook show whk_0195…
  $ partner-connect webhook test whk_0195…
  $ partner-connect webhook pause whk_0195…
  $ partner-connect webhook resume whk_0195…
  $ partner-connect webhook rotate-secret whk_0195… --overlap 24h
  $ partner-connect webhook rotate-secret whk_0195… --now
  $ partner-connect webhook remove whk_0195…`;
