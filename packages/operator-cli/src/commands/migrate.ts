import { type Command, Option } from "commander";
import { parseDuration } from "../options/values.ts";
import { answer, withDatabase } from "../run/command.ts";
import type { Context } from "../run/context.ts";
import { findStack } from "../run/stack.ts";
import { say } from "../terminal/screen.ts";

export function addMigrateCommand(program: Command, context: Context): void {
  program
    .command("migrate")
    .description("Bring the database to this release's schema, and make the months of the audit log that are ahead")
    .option("--wait <time>", "how long to try to get a lock that somebody else holds", "2m")
    .option("--distribute", "on a Citus cluster: distribute the tables that are not distributed yet")
    .addOption(new Option("--live", LIVE).implies({ distribute: true }))
    .addHelpText("after", HELP)
    .action(
      answer(context, async ({ wait, distribute: isDistributed = false, live = false }: Options) => {
        const progress = {
          patience: parseDuration(wait, "--wait") * 1000,
          report: (line: string) => say(context.terminal.stderr, line),
        };
        const { databaseUrl } = await findStack(context.config);
        const { distribute, migrate } = await import("@partner-connect/database");
        const applied = await migrate(databaseUrl, { ...progress, passwords: context.config.rolePasswords });
        const distributed = isDistributed ? await distribute(databaseUrl, { ...progress, live }) : [];
        const { makeMonths } = await import("@partner-connect/audit");
        const months = await withDatabase(context, (sql) => makeMonths(sql, new Date()));
        const done = applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.";
        const made = months.length > 0 ? `\nMade the months ahead of the audit log: ${months.length} parts.` : "";
        const spread = distributed.length > 0 ? `\nDistributed ${distributed.join(", ")}.` : "";
        return {
          json: { applied, months, ...(isDistributed && { distributed }) },
          text: `${done}${spread}${made}`,
        };
      }),
    );
}

interface Options {
  readonly wait: string;
  readonly distribute?: boolean;
  readonly live?: boolean;
}

const LIVE = "--distribute, and responses can be written while they are copied; needs wal_level = logical";

const HELP = `
DATABASE_URL names the database, as its owner. AUTHORIZATION_SERVER_DB_PASSWORD, RESOURCE_SERVER_DB_PASSWORD,
WORKER_DB_PASSWORD and BACK_OFFICE_DB_PASSWORD, where set, become the passwords of the services' roles.
It is safe to repeat, and while services run: a migration waits for a lock for moments only, and tries again for --wait, so that
nobody waits behind it. Each commits by itself; when one fails, those before it stay, and the next run goes on there. Progress, and
who holds a lock, are said on stderr. It makes the parts of the audit log for the next 13 months; the back office goes on with them.

On a Citus cluster DATABASE_URL is the coordinator's. There, --distribute belongs to every migrate: a table that a migration made is
distributed then, and what is distributed already stays as it is. While tables with rows are copied, they can be read and not
written; with --live the responses can be written too. deploy/operations/cluster.md says how to get there.

Examples:
  $ partner-connect migrate
  $ DATABASE_URL=postgres://owner:…@db/partner_connect RESOURCE_SERVER_DB_PASSWORD=… partner-connect migrate`;
