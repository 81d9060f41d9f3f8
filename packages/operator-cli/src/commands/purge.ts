import assert from "node:assert/strict";
import type { Actor } from "@partner-connect/audit";
import type { Row, Sql, Transaction } from "@partner-connect/database";
import { type Command, Option } from "commander";
import { type Consent, carryOut, destructive, examples } from "../options/confirm.ts";
import { wholeNumber } from "../options/values.ts";
import { type Answer, answer, withDatabase } from "../run/command.ts";
import { type Context, operatorActor } from "../run/context.ts";
import { inSteps } from "../run/long-work.ts";
import { countOf } from "../terminal/progress.ts";

/** Rows that are of no use after some time. */
interface Purge {
  /** For records and scripts. */
  readonly what: string;
  /** One of them, for people. */
  readonly noun: string;
  readonly keptDays: number;
  readonly table: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** SQL: whether the row `t` may go, by the time $1. It is judged again once the row is locked. */
  readonly condition: string;
  /** Columns that `onDeleted` gets. */
  readonly returning?: string;
  readonly onDeleted?: (tx: Transaction, rows: readonly Row[], actor: Actor) => Promise<void>;
}

/** An operator's hold stays, as it keeps the merchant from approving. */
const CONNECTIONS = { table: "oauth.connections", key: ["shop_id", "client_id"] };

const PURGES: readonly Purge[] = [
  {
    what: "unfinished_approvals",
    noun: "approval whose code was never exchanged",
    keptDays: 30,
    ...CONNECTIONS,
    condition: "t.connected_at IS NULL AND NOT t.disabled AND t.approved_at < $1",
  },
  {
    // Their tokens are long expired, so a new connection, which begins with generation 1 again, revives none. Index: audit_log_by_connection.
    what: "ended_connections",
    noun: "connection that ended",
    keptDays: 400,
    ...CONNECTIONS,
    condition: `t.connected_at IS NOT NULL AND NOT t.disabled
      AND greatest(t.connected_at, t.approved_at, t.exchanged_at, t.last_used_at) < $1
      AND NOT EXISTS (SELECT FROM oauth.audit_log a WHERE a.shop_id = t.shop_id AND a.connection_id = t.id AND a.at >= $1)`,
    returning: "shop_id, client_id, id, status",
    async onDeleted(tx, rows, actor) {
      const { recordForgotten } = await import("@partner-connect/connections");
      await recordForgotten(tx, rows, actor);
    },
  },
  {
    what: "gone_changes",
    noun: "entry of a feed for a connection that is forgotten",
    keptDays: 400,
    table: "oauth.changes",
    key: ["client_id", "connection_id", "kind"],
    condition: "t.gone AND t.at < $1",
  },
  {
    what: "decisions",
    noun: "decision on an authorization that is over",
    keptDays: 1,
    table: "oauth.decisions",
    key: ["authorization_hash"],
    condition: "t.decided_at < $1",
  },
  {
    what: "idempotency_keys",
    noun: "expired idempotency key",
    keptDays: 2,
    table: "survey.idempotency_keys",
    key: ["shop_id", "caller_id", "key_hash"],
    condition: "t.created_at < $1",
  },
  {
    what: "merchant_links",
    noun: "link that was used or has ended",
    keptDays: 30,
    table: "directory.merchant_links",
    key: ["token_hash"],
    condition: "least(t.used_at, t.expires_at) < $1",
  },
  {
    what: "client_activity",
    noun: "count of what a client did in an hour",
    keptDays: 400,
    table: "oauth.client_activity",
    key: ["client_id", "hour", "what", "reason"],
    condition: "t.hour < $1",
  },
  {
    what: "client_refusals",
    noun: "example of what a client was refused",
    keptDays: 7,
    table: "oauth.client_refusals",
    key: ["client_id", "what", "reason", "at", "request_id"],
    condition: "t.at < $1",
  },
  {
    // The newest that a shop lists from before that time stays: a partner who has read that far continues there. Index: deleted_responses_by_time.
    what: "deletions",
    noun: "deletion of a response",
    keptDays: 400,
    table: "survey.deleted_responses",
    key: ["shop_id", "id"],
    condition: `t.deleted_at < $1 AND EXISTS (SELECT FROM survey.deleted_responses n
      WHERE n.shop_id = t.shop_id AND NOT n.imported_again AND (n.deleted_at, n.id) > (t.deleted_at, t.id) AND n.deleted_at < $1)`,
  },
];

async function countPurgeable(sql: Sql, { table, condition }: Purge, before: Date): Promise<number> {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM ${table} t WHERE ${condition}`,
    [before],
  );
  return row?.count ?? 0;
}

/** Milliseconds that a batch waits for a locked row; then it stays for the next run. Shorter than `deadlock_timeout`: no caller is ended for it. */
const LOCK_TIMEOUT = 200;

/** Deletes the rows, with a record for each batch. Needs the owner's role. */
async function purgeRows(
  sql: Sql,
  { what, table, key, condition, returning, onDeleted }: Purge,
  before: Date,
  actor: Actor,
  onProgress: (deleted: number) => void,
): Promise<number> {
  const { recordAudit } = await import("@partner-connect/audit");
  const { deleteInBatches } = await import("@partner-connect/database");
  const rows = { table, key, condition, value: before };
  return await deleteInBatches(sql, rows, {
    returning,
    onProgress,
    lockTimeout: LOCK_TIMEOUT,
    async onDeleted(tx, gone) {
      await recordAudit(
        tx,
        { action: "purge", detail: { what, rows: gone.length, before: before.toISOString() } },
        actor,
      );
      await onDeleted?.(tx, gone, actor);
    },
  });
}

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
          const steps = await stepsOf(sql, keep);
          const effects = steps.map(({ effect }) => effect);
          return await carryOut(context, consent, effects, () => purge(context, sql, steps));
        };
        return await withDatabase(context, work, { statementTimeout: 0 });
      }),
    );
}

/** Something that may go now. */
interface Step {
  readonly what: string;
  readonly noun: string;
  readonly rows: number;
  readonly before: Date;
  /** What will go, for people. */
  readonly effect: string;
  /** Deletes it, and returns how many rows that were. */
  run(actor: Actor, onProgress: (deleted: number) => void): Promise<number>;
}

/** The audit log's months come last, as they tell when a connection ended. @param keep whole months before the current one */
async function stepsOf(sql: Sql, keep: number): Promise<Step[]> {
  const steps: Step[] = [];
  for (const purge of PURGES) {
    const { what, noun, keptDays } = purge;
    const [row] = await sql<{ before: Date }[]>`SELECT now() - make_interval(days => ${keptDays}) AS before`;
    assert(row, "a SELECT without FROM returned no row");
    const { before } = row;
    const rows = await countPurgeable(sql, purge, before);
    const effect = `Deletes ${rows.toLocaleString("en-US")} × ${noun}, from before ${day(before)}.`;
    const run: Step["run"] = (actor, report) => purgeRows(sql, purge, before, actor, report);
    steps.push({ what, noun, rows, before, effect, run });
  }
  return [...steps, await monthStep(sql, keep)].filter(({ rows }) => rows > 0);
}

async function monthStep(sql: Sql, keep: number): Promise<Step> {
  const { prunableParts, pruneMonths } = await import("@partner-connect/audit");
  const now = new Date();
  const parts = await prunableParts(sql, keep, now);
  const sum = (found: typeof parts) => found.reduce((all, each) => all + each.rows, 0);
  const rows = sum(parts);
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keep));
  const names = parts.map(({ name }) => name).join(", ");
  const effect = `Drops ${countOf(rows, "record")} of the audit log and of the API's usage, from before ${day(before)}: ${names}.`;
  const run: Step["run"] = async (actor) => sum(await pruneMonths(sql, { keep, now }, actor));
  return { what: "months", noun: "record", rows, before, effect, run };
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10);
}

async function purge(context: Context, sql: Sql, steps: readonly Step[]): Promise<Answer> {
  const actor = operatorActor(context);
  const purged: { what: string; rows: number; before: string }[] = [];
  for (const { what, noun, before, run } of steps) {
    const counted = { noun: `${noun} gone`, total: null };
    const rows = await inSteps(context, counted, (report) => run(actor, report));
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
${PURGES.map(({ what, noun, keptDays }) => `  ${what.padEnd(22)}${noun}, after ${countOf(keptDays, "day")}`).join("\n")}
  ${"months".padEnd(22)}whole months of the audit log and of the API's usage, after --keep
An operator's hold stays, however old it is. It commits in small steps beside the services, each with its record in the audit log;
locked rows stay for the next run. It can be interrupted and run again.`;

const EXAMPLES = examples(`
  $ partner-connect purge --dry-run
  $ partner-connect purge --yes --json`);
