import { setTimeout as pause } from "node:timers/promises";
import { type Sql, transaction } from "@partner-connect/database";
import type { ISql, TransactionSql } from "postgres";

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
  /** Null: it takes everything before its end. */
  readonly from: Date | null;
  readonly until: Date;
}

/** The parts, the earliest first. */
export async function partsOf(sql: ISql, { schema, name }: MonthTable): Promise<Part[]> {
  return await sql<Part[]>`
    SELECT c.relname AS name, bounds[1]::timestamptz AS "from", bounds[2]::timestamptz AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((?:MINVALUE|''([^'']+)'')\\) TO \\(''([^'']+)''\\)') AS bounds
    WHERE i.inhparent = ${`${schema}.${name}`}::text::regclass AND bounds IS NOT NULL
    ORDER BY 3`;
}

/** The beginning of a month in UTC, so many months after that of `time`. */
export function monthOf(time: Date, months = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));
}

const ATTEMPTS = 5;

/**
 * Changes the parts of a table in one transaction. Writers wait for it, and while it waits for others they wait too. So it
 * gives way after a moment, as beside a backup that reads the table, and tries again; at last it fails with 55P03.
 */
export async function changeParts<T>(
  sql: Sql,
  { schema, name }: MonthTable,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(sql, async (tx) => {
        await tx`SELECT set_config('lock_timeout', '1500ms', true), set_config('statement_timeout', '0', true)`;
        await tx`LOCK TABLE ONLY ${tx(`${schema}.${name}`)} IN ACCESS EXCLUSIVE MODE`;
        return await work(tx);
      });
    } catch (error) {
      if ((error as { code?: string }).code !== "55P03" || attempt === ATTEMPTS) throw error;
      await pause(1000);
    }
  }
}
