import assert from "node:assert/strict";
import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { countOf } from "../../terminal/progress.ts";

/** Something that is there and may go. */
export interface PurgeStep {
  readonly what: string;
  readonly noun: string;
  readonly rows: number;
  readonly before: Date;
  /** What will go, for people. */
  readonly effect: string;
  /** Deletes it, and returns how many rows that were. */
  run(actor: Actor, onProgress: (looked: number, deleted: number) => void): Promise<number>;
}

/**
 * Everything that may go now, in the order in which it goes: the audit log last, as it says when a connection ended.
 *
 * @param keep whole months of the audit log before the current one
 */
export async function purgeSteps(sql: Sql, keep: number): Promise<PurgeStep[]> {
  const steps = [...(await tableSteps(sql)), ...(await deletionSteps(sql)), ...(await monthSteps(sql, keep))];
  return steps.filter(({ rows }) => rows > 0);
}

async function tableSteps(sql: Sql): Promise<PurgeStep[]> {
  const { GONE_CHANGES } = await import("@partner-connect/changes");
  const { CLIENT_ACTIVITY, CLIENT_REFUSALS, DECISIONS, ENDED_CONNECTIONS, UNFINISHED_APPROVALS } = await import(
    "@partner-connect/connections"
  );
  const { MERCHANT_LINKS } = await import("@partner-connect/directory");
  const { FAILED_MAILS } = await import("@partner-connect/mail");
  const { IDEMPOTENCY_KEYS } = await import("@partner-connect/survey-data");
  const steps: PurgeStep[] = [];
  const connections = [UNFINISHED_APPROVALS, ENDED_CONNECTIONS, GONE_CHANGES, DECISIONS];
  const clients = [CLIENT_ACTIVITY, CLIENT_REFUSALS];
  for (const purge of [...connections, IDEMPOTENCY_KEYS, MERCHANT_LINKS, FAILED_MAILS, ...clients]) {
    const { what, noun, keptDays } = purge;
    const before = await daysAgo(sql, keptDays);
    const rows = await purge.count(sql, before);
    const effect = `Deletes ${rows.toLocaleString("en-US")} × ${noun}, from before ${day(before)}.`;
    steps.push({
      what,
      noun,
      rows,
      before,
      effect,
      run: (actor, onProgress) => purge.run(sql, before, actor, onProgress),
    });
  }
  return steps;
}

async function deletionSteps(sql: Sql): Promise<PurgeStep[]> {
  const { DELETIONS_KEPT_DAYS, prunableDeletions, pruneDeletions } = await import("@partner-connect/survey-data");
  const before = await daysAgo(sql, DELETIONS_KEPT_DAYS);
  const sum = (found: readonly { readonly deletions: number }[]) =>
    found.reduce((all, each) => all + each.deletions, 0);
  const found = await prunableDeletions(sql, { before });
  const rows = sum(found);
  const effect = `Forgets ${countOf(rows, "deletion")} of responses, of ${countOf(found.length, "shop")}, from before ${day(before)}.`;
  const run = async (actor: Actor) => sum(await pruneDeletions(sql, { before }, actor));
  return [{ what: "deletions", noun: "deletion", rows, before, effect, run }];
}

async function monthSteps(sql: Sql, keep: number): Promise<PurgeStep[]> {
  const { prunableParts, pruneMonths } = await import("@partner-connect/audit");
  const now = new Date();
  const parts = await prunableParts(sql, keep, now);
  const sum = (found: typeof parts) => found.reduce((all, each) => all + each.rows, 0);
  const rows = sum(parts);
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keep));
  const effect = `Drops ${countOf(rows, "record")} of the audit log and of the API's usage, from before ${day(before)}: ${parts
    .map(({ name }) => name)
    .join(", ")}.`;
  const run = async (actor: Actor) => sum(await pruneMonths(sql, { keep, now }, actor));
  return [{ what: "months", noun: "record", rows, before, effect, run }];
}

async function daysAgo(sql: Sql, days: number): Promise<Date> {
  const [row] = await sql<{ before: Date }[]>`SELECT now() - make_interval(days => ${days}) AS before`;
  assert(row, "a SELECT without FROM returned no row");
  return row.before;
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10);
}
