import { Command, Help } from "commander";
import { addApiKeyCommands } from "../commands/api-key.ts";
import { addAuditCommands } from "../commands/audit.ts";
import { addClientCommands } from "../commands/client/client.ts";
import { addConnectionCommands } from "../commands/connection/connection.ts";
import { addDoctorCommand } from "../commands/doctor/doctor.ts";
import { addJobCommands } from "../commands/job.ts";
import { addKeysCommands } from "../commands/keys/keys.ts";
import { addMerchantCommands } from "../commands/merchant/merchant.ts";
import { addMigrateCommand } from "../commands/migrate.ts";
import { addPartnerCommands } from "../commands/partner/partner.ts";
import { addShopCommands } from "../commands/shop/shop.ts";
import { addQuestionCommands } from "../commands/survey/question.ts";
import { addResponseCommands } from "../commands/survey/response.ts";
import { addSourceCommands } from "../commands/survey/source.ts";
import { addWebhookCommands } from "../commands/webhook/webhook.ts";
import { type Context, VERSION } from "./context.ts";

export function createProgram(context: Context): Command {
  const program = new Command("partner-connect")
    .description("Operate Partner Connect: who may connect, who is connected, and the data they read.")
    .version(VERSION, "--version", "print the release's number")
    .option("--json", "print one JSON document, for scripts; an error too, on stderr")
    .option("--wide", "print tables whole, with exact times, however narrow the terminal is")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: forEveryCommand })
    .addHelpText("after", HELP);
  addMerchantCommands(program, context);
  addShopCommands(program, context);
  addClientCommands(program, context);
  addPartnerCommands(program, context);
  addApiKeyCommands(program, context);
  addConnectionCommands(program, context);
  addWebhookCommands(program, context);
  addJobCommands(program, context);
  addQuestionCommands(program, context);
  addResponseCommands(program, context);
  addSourceCommands(program, context);
  addKeysCommands(program, context);
  addAuditCommands(program, context);
  addMigrateCommand(program, context);
  addDoctorCommand(program, context);
  return program;
}

function forEveryCommand(this: Help, command: Command) {
  return Help.prototype.visibleGlobalOptions.call(this, command).filter(({ long }) => long !== "--version");
}

const HELP = `
The commands work on the database that DATABASE_URL names; without it, on the local stack in DATA_DIR (default: .data).
In a clone, run it as: pnpm -s partner-connect …

From nothing to a partner's first request:
  $ partner-connect merchant create --email anna@shop.example --name Anna
  $ partner-connect shop create --name Hats --owner anna@shop.example
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback --scope responses:read

'partner-connect <command> --help' has examples of it. Exit codes: 0 done, 1 refused or failed, 2 a wrong command line.`;
