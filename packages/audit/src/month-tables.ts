import { type Queries, type Sql, type Transaction, withShortLocks } from "@partner-connect/database";

/** A table that is parted by month, and the column that says when. Its default part takes what no month takes. */
export interface MonthTable {
  readonly schema: "oauth" | "directory";
  readonly name: "audit_log" | "api_usage";
  readonly column: "at" | "hour";
}

export const MONTH_TABLES: readonly MonthTable[] = [
  { schema: "directory", name: "audit_log", column: "at" },
  { schema: "oauth", name: "audit_log", column: "at" },
  { schema: "oauth", name: "api_usage", column: "hour" },
];

/** A part of such a table, other than its default one: from the beginning of a month in UTC until that of a later one. */
export interface Part {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
}

/** The parts, the earliest first. */
export async function partsOf(sql: Queries, { schema, name }: MonthTable): Promise<Part[]> {
  return await sql<Part[]>`
    SELECT c.relname AS name, bounds[1]::timestamptz AS "from", bounds[2]::timestamptz AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\) TO \\(''([^'']+)''\\)') AS bounds
    WHERE i.inhparent = ${`${schema}.${name}`}::text::regclass AND bounds IS NOT NULL
    ORDER BY 3`;
}

/** The beginning in UTC of the month that is `months` after the month of `time`. */
export function monthOf(time: Date, months = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));
}

/** Milliseconds for which a change of the parts is tried. */
const PATIENCE = 10_000;

/** Changes a table's parts in one transaction, for which writers wait: `work` must be short. @throws 55P03 without a lock in time */
export async function changeParts<T>(
  sql: Sql,
  { schema, name }: MonthTable,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return await withShortLocks(sql, { patience: PATIENCE }, async (tx) => {
    await tx`LOCK TABLE ONLY ${tx(`${schema}.${name}`)} IN ACCESS EXCLUSIVE MODE`;
    return await work(tx);
  });
}

/** How far the tables that are parted by month reach. It reads the catalog only, which every role may. */
export async function monthSpans(sql: Sql, now: Date = new Date()) {
  return await Promise.all(MONTH_TABLES.map((table) => spanOf(sql, table, now)));
}

async function spanOf(sql: Sql, table: MonthTable, now: Date) {
  const parts = await partsOf(sql, table);
  const made = new Set(parts.map(({ until }) => until.getTime()));
  let monthsAhead = -1;
  while (made.has(monthOf(now, monthsAhead + 2).getTime())) monthsAhead++;
  return {
    table: `${table.schema}.${table.name}`,
    /** Months after the current one that are made already. Below 0 the current one is missing too. */
    monthsAhead,
    /** Everything in the oldest part is older; null: no part. */
    oldestUntil: parts[0]?.until ?? null,
  };
}
