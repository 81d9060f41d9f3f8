import type { Sql } from "@partner-connect/database";
import { type Finding, type System, unless } from "../../system.ts";

/** The default of `purge --keep`, and two months in which somebody runs it. */
const AUDIT_MONTHS = 13 + 2;
/** What partners are promised, and the same. */
const DELETIONS_DAYS = 400 + 60;
/** `purge` runs each night. */
const OVERDUE_DAYS = 7;

export async function retention({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const { monthSpans } = await import("@partner-connect/audit");
  const now = new Date();
  const oldest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - AUDIT_MONTHS);
  const old = (await monthSpans(ask, now)).flatMap(({ table, oldestUntil }) =>
    oldestUntil !== null && oldestUntil.getTime() <= oldest ? [table] : [],
  );
  // Of each shop's the newest one stays, whatever its age: so one more makes it due. Along the index of each shop.
  const [deletion] = await ask`
    SELECT FROM directory.shops s WHERE EXISTS (
      SELECT FROM survey.deleted_responses d
      WHERE d.shop_id = s.id AND NOT d.imported_again AND d.deleted_at < now() - make_interval(days => ${DELETIONS_DAYS}) OFFSET 1)
    LIMIT 1`;
  const problems = [
    ...(await overdue(ask)),
    ...(old.length > 0 ? [`${old.join(", ")} keep more than ${AUDIT_MONTHS} months`] : []),
    ...(deletion ? [`deletions are kept that are older than ${DELETIONS_DAYS} days`] : []),
  ];
  return unless(
    problems,
    "nothing is kept for longer than it should be",
    "partner-connect purge --dry-run, and schedule it",
  );
}

async function overdue(sql: Sql): Promise<string[]> {
  const { countPurgeable, PURGES } = await import("../../../purge.ts");
  const nightly = PURGES.filter(({ what }) => what !== "deletions"); // judged above, along an index
  const found = nightly.map(async (purge) => {
    const { what, keptDays } = purge;
    const rows = await countPurgeable(sql, purge, new Date(Date.now() - (keptDays + OVERDUE_DAYS) * 86_400_000));
    return rows > 0 ? [`${what}: ${rows} should have gone a week ago`] : [];
  });
  return (await Promise.all(found)).flat();
}

/** `migrate` makes 13. */
const LEAST_AHEAD = 2;

export async function auditMonths({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const { monthSpans } = await import("@partner-connect/audit");
  const spans = await monthSpans(ask, new Date());
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
}
