import type { Command } from "@commander-js/extra-typings";
import { makeMonths } from "@partner-connect/audit";
import { distribute, migrate } from "@partner-connect/database";
import { installJobs } from "@partner-connect/jobs";
import type { Cli } from "../cli.ts";
import { say } from "../print.ts";
import { findStack } from "../stack.ts";
import { duration } from "../values.ts";

export default function addMigrate(command: Command, cli: Cli): void {
  const migrateCommand = command
    .option("--wait <time>", "how long to wait for a lock (default: 2m)", duration("--wait"))
    .option("--distribute", "on a Citus cluster: distribute tables that are not distributed yet")
    .addHelpText("after", HELP);
  cli.answer(migrateCommand, async ({ wait = 120, distribute: isDistributed = false }) => {
    const progress = {
      patience: wait * 1000,
      report: (line: string) => say(cli.terminal.stderr, line),
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
      months.length > 0 ? `\nMade the months ahead of the audit log: ${months.length} parts.` : "";
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
It is safe to repeat, and while services run: a migration waits for a lock for moments only, and tries again for --wait, so that
nobody waits behind it. Each commits separately; when one fails, those before it stay, and the next run continues there. Progress, and
the holder of a lock, are printed on stderr. It makes the parts of the audit log for the next 13 months; the back office makes later ones.

On a Citus cluster DATABASE_URL is the coordinator's. There, --distribute belongs to every migrate: a table that a migration made is
distributed then, and distributed tables stay as they are. While tables with rows are copied, they can be read and not written.
deploy/operations/cluster.md says how to get there.`;

export const EXAMPLES = `
  $ DATABASE_URL=postgres://owner:…@db/partner_connect RESOURCE_SERVER_DB_PASSWORD=… partner-connect migrate`;
