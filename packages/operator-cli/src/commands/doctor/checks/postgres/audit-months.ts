import { present } from "../../../../terminal/present.ts";
import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** `migrate` makes 13. */
const LEAST_AHEAD = 2;

export const auditMonths: Check = {
  name: "audit-months",
  async look({ sql }) {
    const ask = await sql();
    const { monthSpans } = await import("@partner-connect/audit");
    const spans = await monthSpans(ask, present());
    const problems = await Promise.all(
      spans.map(async ({ table, monthsAhead }) => {
        const stray = await ask`SELECT FROM ${ask(`${table}_default`)} LIMIT 1`;
        return [
          ...(monthsAhead < LEAST_AHEAD ? [`${table} has ${Math.max(monthsAhead, 0)} months ahead`] : []),
          ...(stray.length > 0 ? [`${table} has records that no month takes`] : []),
        ];
      }),
    );
    const ahead = Math.min(...spans.map(({ monthsAhead }) => monthsAhead));
    return unless(problems.flat(), `${ahead} months ahead`, "partner-connect migrate");
  },
};
