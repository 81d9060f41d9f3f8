import type { Command } from "commander";
import { answer } from "../answer.ts";
import type { Context } from "../context.ts";
import { findStack } from "../stack.ts";

export function addMigrateCommand(program: Command, context: Context): void {
  program
    .command("migrate")
    .description("Bring the database to this release's schema; safe to repeat, and while services run")
    .addHelpText("after", HELP)
    .action(
      answer(context, async () => {
        const { databaseUrl } = await findStack(context.config);
        const { migrate } = await import("@partner-connect/database");
        const { authorizationServerPassword, resourceServerPassword } = context.config;
        const applied = await migrate(databaseUrl, {
          ...(authorizationServerPassword !== undefined && { authorizationServerPassword }),
          ...(resourceServerPassword !== undefined && { resourceServerPassword }),
        });
        return {
          json: { applied },
          text: applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.",
        };
      }),
    );
}

const HELP = `
DATABASE_URL names the database, as its owner. AUTHORIZATION_SERVER_DB_PASSWORD and RESOURCE_SERVER_DB_PASSWORD, where
set, become the passwords of the services' roles.

Examples:
  $ partner-connect migrate
  $ DATABASE_URL=postgres://owner:…@db/partner_connect RESOURCE_SERVER_DB_PASSWORD=… partner-connect migrate`;
