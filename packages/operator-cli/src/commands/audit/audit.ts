import type { PrunedPart } from "@partner-connect/audit";
import { type Command, Option } from "commander";
import { type Consent, carryOut, commandGroup, destructive } from "../../options/confirm.ts";
import { wholeNumber } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";
import { auditExport } from "./audit-export.ts";
import { auditList } from "./audit-list.ts";
import { auditSeal } from "./audit-seal.ts";
import { auditVerify } from "./audit-verify.ts";

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
    .option("--until <time>", "only what is older than this time")
    .option("--action <action>", "only this, such as revoke, client_update or merchant_sign_in")
    .option("--request <id>", "only what came of this request, by its x-request-id; quicker with --since")
    .addOption(new Option("--limit <number>", "how many, the newest first").default("100"))
    .action(auditList(context));
  audit
    .command("export")
    .description("Write what was done as JSON, a record a line, the oldest first")
    .option("--since <time>", "from this time on: as in 'audit list' (default: everything)")
    .option("--until <time>", "only what is older (default: everything that no open transaction can add to)")
    .addOption(new Option("--out <file>", "a file that is not there yet; - is stdout").default("-"))
    .action(auditExport(context));
  audit
    .command("seal")
    .description("Seal what was recorded since the last seal, by AUDIT_SEAL_KEY. Run it every quarter of an hour")
    .addHelpText("after", SEALS)
    .action(auditSeal(context));
  audit
    .command("verify")
    .description("Compare the audit log with its seals, and name what was changed, added or taken away")
    .option("--expect <seal>", "the name of a seal that you kept: whether it is still there")
    .addHelpText("after", SEALS)
    .action(auditVerify(context));
  destructive(audit.command("prune"))
    .description("Drop whole months of the audit log, and of the API's usage, that are older than those kept")
    .addOption(new Option("--keep <months>", "how many whole months before the current one are kept").default("13"))
    .action(auditPrune(context));
}

function auditPrune(context: Context) {
  return answer(context, async ({ keep: months, ...consent }: Consent & { readonly keep: string }) => {
    const { prunableParts, pruneMonths } = await import("@partner-connect/audit");
    const keep = wholeNumber(months, "--keep", { min: 0, max: 1200 });
    const found = await withDatabase(context, (sql) => prunableParts(sql, keep, new Date()), { statementTimeout: 0 });
    if (found.length === 0) {
      return {
        json: { keep, dropped: [] },
        text: `Nothing is older than the ${countOf(keep, "month")} before this one.`,
      };
    }
    const effects = found.map((part) => `Drops for good ${described(part)}.`);
    return await carryOut(context, consent, effects, async () => {
      const dropped = await withDatabase(
        context,
        (sql) => pruneMonths(sql, { keep, now: new Date() }, operatorActor(context)),
        { statementTimeout: 0 },
      );
      return {
        json: { keep, dropped: dropped.map(partJson) },
        text: dropped.map((part) => `Dropped ${described(part)}.`).join("\n"),
      };
    });
  });
}

function described({ name, rows, until }: PrunedPart): string {
  return `${name}: ${countOf(rows, "record")} from before ${until.toISOString().slice(0, 10)}`;
}

function partJson({ name, rows, until }: PrunedPart) {
  return { part: name, records: rows, before: until.toISOString() };
}

const SEALS = `
AUDIT_SEAL_KEY and AUDIT_NAMES_KEY (or files: …_FILE) are secrets of 32 characters or more. Who has them and the database can change
the log and seal it anew, so keep them from the database's owner: deploy/operations/audit.md. Exit code of verify: 1 if anything was changed.`;

const EXAMPLES = `
  $ partner-connect audit list --since 09:00
  $ partner-connect audit list --client client_5d2c… --since 3d
  $ partner-connect audit list --merchant anna@shop.example --json
  $ partner-connect audit list --action revoke --since 2026-11-21 --until 2026-11-22
  $ partner-connect audit list --actor operator:anna --limit 1000
  $ partner-connect audit export --since 2026-11-01 --until 2026-12-01 --out november.jsonl
  $ partner-connect audit export --since 1h | logger --tag partner-connect-audit
  $ partner-connect audit seal --json
  $ partner-connect audit verify
  $ partner-connect audit verify --expect oauth:17:9f3K…
  $ partner-connect audit prune --keep 13 --dry-run
  $ partner-connect audit prune --keep 13 --yes`;
