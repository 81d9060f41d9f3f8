import type { AuditProblem, SealReference, VerifiedAudit } from "@partner-connect/audit";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, UsageError } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";
import { auditKeys } from "./audit-seal.ts";

export function auditVerify(context: Context) {
  return answer(context, async ({ expect: name }: { readonly expect?: string }) => {
    const expected = name === undefined ? undefined : sealReference(name);
    const keys = auditKeys(context);
    const { verifyLogs } = await import("@partner-connect/audit");
    const found = await withDatabase(context, (sql) => verifyLogs(sql, keys, expected), { statementTimeout: 0 });
    const isFailure = found.problems.length > 0;
    return { json: verifiedJson(found), text: verifiedText(found), isFailure };
  });
}

function sealReference(name: string): SealReference {
  const [, log, number] = /^(directory|oauth):(\d{1,9}):[\w-]{43}$/.exec(name.trim()) ?? [];
  if (log === "directory" || log === "oauth") return { log, number: Number(number), name: name.trim() };
  throw new UsageError(`--expect ${JSON.stringify(name)} is not the name of a seal, such as oauth:17:9f3K…`);
}

function verifiedJson({ logs, pruned, problems }: VerifiedAudit) {
  return {
    logs: logs.map(({ log, seals, records, unsealed, sealedUntil, last }) => {
      return { log, seals, records, not_sealed_yet: unsealed, sealed_until: timeOf(sealedUntil), last_seal: last };
    }),
    pruned: pruned && { until: timeOf(pruned.until), at: timeOf(pruned.at), actor: pruned.actor },
    problems: problems.map(({ from, until, ...problem }) => ({ ...problem, from: timeOf(from), until: timeOf(until) })),
  };
}

const SHOWN = 20;

function verifiedText({ logs, pruned, problems }: VerifiedAudit): string {
  const summary = logs.map(({ log, seals, records, unsealed, sealedUntil }) => {
    const until = sealedUntil ? `, until ${timeOf(sealedUntil)}` : "";
    return `${log}.audit_log: ${countOf(records, "record")} compared with ${countOf(seals, "seal")}${until}. Not sealed yet: ${countOf(unsealed, "record")}.`;
  });
  if (pruned)
    summary.push(`What is older than ${day(pruned.until)} was pruned by ${pruned.actor} on ${day(pruned.at)}.`);
  const told = problems.slice(0, SHOWN).map(problemText);
  const more = problems.length > SHOWN ? [`and ${countOf(problems.length - SHOWN, "problem")} more: see --json`] : [];
  return [
    ...told,
    ...more,
    ...summary,
    problems.length === 0 ? "Nothing was changed." : "The audit log was changed.",
  ].join("\n");
}

function problemText({ what, log, seal, id, at, after, records, from, until }: AuditProblem): string {
  const range = `seal ${seal}, ${from ? `from ${timeOf(from)} ` : ""}until ${until ? timeOf(until) : "now"}`;
  const place = after === null ? "at the beginning" : `after ${after}`;
  const text = {
    changed: `changed: ${id} of ${at} is not the record that was sealed`,
    added: `added: ${id} of ${at} was not there when its time was sealed`,
    missing: `missing: ${countOf(records, "record")} ${place}`,
    seal: "changed: the seal itself; its records and the next seal's are not judged",
    no_seal: "missing: the seal itself; its records and the next seal's are not judged",
  }[what];
  return `${log}.audit_log: ${text} (${range})`;
}

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

function day(time: Date): string {
  return time.toISOString().slice(0, 10);
}
