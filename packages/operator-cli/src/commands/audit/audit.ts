import { type Command, Option } from "commander";
import { commandGroup } from "../../options/command-group.ts";
import { destructive } from "../../options/confirm.ts";
import type { Context } from "../../run/context.ts";
import { auditList } from "./audit-list.ts";
import { auditPrune } from "./audit-prune.ts";

export function addAuditCommands(program: Command, context: Context): void {
  const audit = commandGroup(program, "audit", "Who did what: operators, merchants, clients and the system", EXAMPLES);
  audit
    .command("list")
    .description("List what was done, the newest first")
    .option("--shop <shop>", "only what concerns this shop")
    .option("--client <client>", "only what concerns this client")
    .option("--merchant <email>", "only what this merchant did, and what was done to the account; an id will do too")
    .option("--actor <actor>", "only what this one did: operator:<name>, merchant:<id>, client:<id> or system")
    .option("--since <time>", "2h, 3d, 09:00, 2026-11-22, or RFC 3339; without an offset in this machine's time zone")
    .addOption(new Option("--limit <number>", "the newest so many").default("100"))
    .action(auditList(context));
  destructive(audit.command("prune"))
    .description("Drop whole months of the audit log, and of the API's usage, that are older than those kept")
    .addOption(new Option("--keep <months>", "how many whole months before the current one are kept").default("13"))
    .action(auditPrune(context));
}

const EXAMPLES = `
  $ partner-connect audit list --since 09:00
  $ partner-connect audit list --client client_5d2c… --since 3d
  $ partner-connect audit list --merchant anna@shop.example --json
  $ partner-connect audit list --actor operator:anna --limit 1000
  $ partner-connect audit prune --keep 13 --dry-run
  $ partner-connect audit prune --keep 13 --yes`;
