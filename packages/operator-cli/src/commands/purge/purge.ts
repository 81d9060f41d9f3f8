import type { Sql } from "@partner-connect/database";
import { type Command, Option } from "commander";
import { type Consent, carryOut, destructive, examples } from "../../options/confirm.ts";
import { wholeNumber } from "../../options/values.ts";
import { type Answer, answer, withDatabase } from "../../run/command.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { inSteps } from "../../run/long-work.ts";
import { type PurgeStep, purgeSteps } from "./purge-steps.ts";

export function addPurgeCommand(program: Command, context: Context): void {
  destructive(program.command("purge"))
    .description("Delete what nobody needs any more. Run it every night")
    .addOption(
      new Option("--keep <months>", "whole months of the audit log that are kept before this one").default("13"),
    )
    .addHelpText("after", HELP)
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ keep: months, ...consent }: Consent & { readonly keep: string }) => {
        const keep = wholeNumber(months, "--keep", { min: 1, max: 1200 });
        const work = async (sql: Sql) => {
          const steps = await purgeSteps(sql, keep);
          const effects = steps.map(({ effect }) => effect);
          return await carryOut(context, consent, effects, () => purge(context, sql, steps));
        };
        return await withDatabase(context, work, { statementTimeout: 0 });
      }),
    );
}

async function purge(context: Context, sql: Sql, steps: readonly PurgeStep[]): Promise<Answer> {
  const actor = operatorActor(context);
  const purged: { what: string; rows: number; before: string }[] = [];
  for (const { what, noun, before, run } of steps) {
    const counted = { noun: `${noun} gone`, total: null };
    const rows = await inSteps(context, counted, (report) => run(actor, (_, deleted) => report(deleted)));
    purged.push({ what, rows, before: before.toISOString() });
  }
  // Also where nothing was to be deleted: it shows when the last run was.
  const { recordAudit } = await import("@partner-connect/audit");
  const detail = { completed: true, rows: purged.reduce((all, { rows }) => all + rows, 0) };
  await recordAudit(sql, { action: "purge", detail }, actor);
  const lines = purged.map(({ what, rows }) => `${what}: ${rows.toLocaleString("en-US")}`);
  return { json: { purged }, text: lines.length > 0 ? lines.join("\n") : "Nothing was old enough." };
}

const HELP = `
What goes, and when:
  unfinished_approvals  approvals whose code was never exchanged, after 30 days
  ended_connections     connections, revoked or expired, to which nothing has happened for 400 days
  gone_changes          what a partner's feed tells of a connection that is forgotten, after 400 days
  decisions             merchants' decisions on authorizations, after a day (they count for an hour)
  idempotency_keys      keys of requests that created sources, after two days (they count for one)
  merchant_links        links to set a password, 30 days after they were used or ended
  failed_mails          mails that could not be sent, after 30 days
  client_activity       what a client did in an hour, after 400 days
  client_refusals       examples of what a client was refused, after 7 days
  deletions             which responses were deleted, after 400 days: see 'response prune-deleted --help'
  months                whole months of the audit log and of the API's usage
An operator's hold stays, however old it is. It works in small steps beside the services, each with its record in the audit log, and
what is locked meanwhile stays for the next time. It can be interrupted and run again.`;

const EXAMPLES = examples(`
  $ partner-connect purge --dry-run
  $ partner-connect purge --yes --json`);
