import type { PrunedPart } from "@partner-connect/audit";
import { type Consent, carryOut } from "../../options/confirm.ts";
import { wholeNumber } from "../../options/whole-number.ts";
import { answer } from "../../run/answer.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import { present } from "../../terminal/present.ts";
import { countOf } from "../../terminal/progress.ts";

export function auditPrune(context: Context) {
  return answer(context, async ({ keep: months, ...consent }: Consent & { readonly keep: string }) => {
    const { prunableParts, pruneMonths } = await import("@partner-connect/audit");
    const keep = wholeNumber(months, "--keep", { min: 0, max: 1200 });
    const found = await withDatabase(context, (sql) => prunableParts(sql, keep, present()), { statementTimeout: 0 });
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
        (sql) => pruneMonths(sql, { keep, now: present() }, operatorActor(context)),
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
