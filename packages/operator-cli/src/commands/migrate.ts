import type { Command } from "@commander-js/extra-typings";
import { makeMonths } from "@partner-connect/audit";
import { distribute, migrate } from "@partner-connect/database";
import { installJobs } from "@partner-connect/jobs";
import type { Cli } from "../cli.ts";
import { printText } from "../print.ts";
import { findStack } from "../stack.ts";
import { durationParser } from "../values.ts";

export default function addMigrate(command: Command, cli: Cli): void {
  const migrateCommand = command
    .option("--wait <time>", "how long to wait for a lock (default: 2m)", durationParser("--wait"))
    .option("--distribute", "on a Citus cluster, distribute tables that are not distributed yet")
    .addHelpText("after", HELP);
  cli.setAction(migrateCommand, async ({ wait = 120, distribute: isDistributed = false }) => {
    const progress = {
      patience: wait * 1000,
      report: (line: string) => printText(cli.terminal.stderr, line),
      afterwards: installJobs,
    };
    const { databaseUrl } = await findStack(cli.config);
    const applied = await migrate(databaseUrl, {
      ...progress,
      passwords: cli.config.rolePasswords,
    });
    const distributed = isDistributed ? await distribute(databaseUrl, progress) : [];
    const months = await cli.withDatabase(({ sql }) => makeMonths(sql, new Date()));
    const done =
      applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.";
    const made =
      months.length > 0
        ? `\nCreated ${months.length} monthly partitions for the months ahead.`
        : "";
    const spread = distributed.length > 0 ? `\nDistributed ${distributed.join(", ")}.` : "";
    return {
      json: { applied, months, ...(isDistributed && { distributed }) },
      text: `${done}${spread}${made}`,
    };
  });
}

const HELP = `
DATABASE_URL names the database, as its owner. AUTHORIZATION_SERVER_DB_PASSWORD, RESOURCE_SERVER_DB_PASSWORD,
WORKER_DB_PASSWORD and BACK_OFFICE_DB_PASSWORD, where set, become the passwords of the services' roles.
The command can be repeated, also while services run. A migration waits only briefly for a lock, so that services don't queue behind
it, and retries for --wait. Each migration commits separately; if one fails, the next run continues with it. Progress, and the session
that holds a lock, are printed on stderr. The monthly partitions for the next 13 months are created; the back office creates later ones.

On a Citus cluster DATABASE_URL names the coordinator, and every migrate needs --distribute, which distributes new tables and leaves
distributed ones unchanged. Tables with rows can be read but not written while they are copied. See deploy/operations/cluster.md.`;

export const EXAMPLES = `
  $ DATABASE_URL=postgres://owner:…@db/partner_connect RESOURCE_SERVER_DB_PASSWORD=… partner-connect migrate`;
