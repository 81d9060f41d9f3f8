import type { Sql } from "@partner-connect/database";
import { MONTH_TABLES, type MonthTable, monthOf, partsOf } from "./month-tables.ts";

export interface MonthSpan {
  /** Such as `oauth.audit_log`. */
  readonly table: string;
  /** Months after the current one that are made already. Below 0 the current one is missing too. */
  readonly monthsAhead: number;
  /** Everything in the oldest part is older; null: no part. */
  readonly oldestUntil: Date | null;
}

/** How far the tables that are parted by month reach. It reads the catalog only, which every role may. */
export async function monthSpans(sql: Sql, now: Date = new Date()): Promise<MonthSpan[]> {
  return await Promise.all(MONTH_TABLES.map((table) => spanOf(sql, table, now)));
}

async function spanOf(sql: Sql, table: MonthTable, now: Date): Promise<MonthSpan> {
  const parts = await partsOf(sql, table);
  const made = new Set(parts.map(({ until }) => until.getTime()));
  let monthsAhead = -1;
  while (made.has(monthOf(now, monthsAhead + 2).getTime())) monthsAhead++;
  return { table: `${table.schema}.${table.name}`, monthsAhead, oldestUntil: parts[0]?.until ?? null };
}
