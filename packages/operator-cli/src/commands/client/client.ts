import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import type { Context } from "../../run/context.ts";
import { addClientDelete } from "../erase/client-delete.ts";
import { addActivityCommand } from "./client-activity.ts";
import { addCreateCommand } from "./client-create.ts";
import { addRotateSecretCommand } from "./client-rotate-secret.ts";
import { addListCommand, addShowCommand } from "./client-show.ts";
import { addStatusCommands } from "./client-status.ts";
import { addUpdateCommand } from "./client-update.ts";

export function addClientCommands(program: Command, context: Context): void {
  const client = commandGroup(
    program,
    "client",
    "Partners' apps: what they may ask merchants for, and their secrets",
    EXAMPLES,
  );
  for (const add of [
    addCreateCommand,
    addListCommand,
    addShowCommand,
    addActivityCommand,
    addUpdateCommand,
    addStatusCommands,
    addRotateSecretCommand,
    addClientDelete,
  ]) {
    add(client, context);
  }
}

const EXAMPLES = `
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback \\
      --redirect-uri http://localhost/callback --scope 'responses:read sources:write'
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback --scope responses:read \\
      --publisher 'Acme GmbH' --website https://acme.example --privacy-policy https://acme.example/privacy --logo acme.png
  $ partner-connect client list
  $ partner-connect client list --search acme --status active --limit 20
  $ partner-connect client activity client_5d2c… --since 09:00
  $ partner-connect client show client_5d2c…
  $ partner-connect client update client_5d2c… --add-redirect-uri https://acme.example/new \\
      --remove-redirect-uri https://acme.example/callback
  $ partner-connect client update client_5d2c… --scope responses:read --dry-run
  $ partner-connect client update client_5d2c… --logo acme.png --no-website
  $ partner-connect client disable client_5d2c…
  $ partner-connect client enable client_5d2c…
  $ partner-connect client rotate-secret client_5d2c… --overlap 24h
  $ partner-connect client rotate-secret client_5d2c… --now
  $ partner-connect client rotate-secret client_5d2c… --again
  $ partner-connect client delete client_5d2c… --dry-run`;
