import {
  isOnCitus,
  type Queries,
  type Sql,
  type Transaction,
  withShortLocks,
} from "@partner-connect/database";
import { type Actor, recordAudit } from "./record-audit.ts";

/** The tables partitioned by month, and their time column. */
const MONTH_TABLES = [
  { table: "directory.audit_log", column: "at" },
  { table: "oauth.audit_log", column: "at" },
  { table: "oauth.api_usage", column: "hour" },
] as const;

/**
 * A partition other than the default: from the start of a month in UTC to the start of a later one.
 */
interface Partition {
  /** Such as `oauth.audit_log_2026_11`. */
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
}

/** The partitions, oldest first. */
async function partitions(sql: Queries, table: string): Promise<Partition[]> {
  return await sql<Partition[]>`
    SELECT c.relnamespace::regnamespace || '.' || c.relname AS name, bounds[1]::timestamptz AS "from", bounds[2]::timestamptz AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\) TO \\(''([^'']+)''\\)') AS bounds
    WHERE i.inhparent = ${table}::text::regclass AND bounds IS NOT NULL
    ORDER BY 3`;
}

/** The start in UTC of the month `months` after that of `time`. */
function monthOf(time: Date, months = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));
}

/** Milliseconds for which a change of partitions tries to get its locks. */
const PATIENCE = 10_000;

/**
 * Runs a transaction that changes partitions and blocks writers, so `work` must be short.
 * @throws 55P03 if it can't get its locks in time
 */
const inPartitionTransaction = async <T>(sql: Sql, work: (tx: Transaction) => Promise<T>) =>
  await withShortLocks(sql, { patience: PATIENCE }, work);

/** The months that each table's partitions span, from the catalog, which every role may read. */
export async function monthSpans(sql: Sql, now: Date = new Date()) {
  return await Promise.all(
    MONTH_TABLES.map(async ({ table }) => {
      const parts = await partitions(sql, table);
      const made = new Set(parts.map(({ until }) => until.getTime()));
      let monthsAhead = -1;
      while (made.has(monthOf(now, monthsAhead + 2).getTime())) monthsAhead++;
      return {
        table,
        /** Partitions after the current month. Negative if the current month is missing. */
        monthsAhead,
        /** Upper bound of the oldest partition; null if there is none. */
        oldestUntil: parts[0]?.until ?? null,
      };
    }),
  );
}

/** Number of months ahead for which `migrate` and the nightly purge create partitions. */
const AHEAD = 13;

/**
 * Creates the missing partitions of this month and of {@link AHEAD} months, and returns their names.
 * Can be repeated. Needs the owner's role or the back office's.
 */
export async function makeMonths(sql: Sql, now: Date = new Date()): Promise<string[]> {
  const made: string[] = [];
  for (const { table } of MONTH_TABLES) {
    const have = new Set((await partitions(sql, table)).map(({ from }) => from.getTime()));
    const months = Array.from({ length: AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
    // Check without a lock first, so that a call with nothing to do blocks no writer. Use a
    // transaction per month, because writers wait for its end.
    for (const month of months.filter((each) => !have.has(each.getTime()))) {
      const make = (tx: Transaction) =>
        tx<{ part: string }[]>`SELECT oauth.make_month(${table}, ${month}) AS part`;
      made.push(...(await inPartitionTransaction(sql, make)).map(({ part }) => part));
    }
  }
  return made;
}

interface PrunedPartition extends Pick<Partition, "name"> {
  readonly rows: number;
}

/**
 * Drops the partitions older than the `keep` months before the current one, with a record per table,
 * and returns them. Needs the owner's role or the back office's.
 */
export async function pruneMonths(
  sql: Sql,
  { keep, now = new Date() }: { readonly keep: number; readonly now?: Date },
  actor: Actor,
): Promise<PrunedPartition[]> {
  await makeMonths(sql, now); // moves rows out of the default partitions
  const pruned: PrunedPartition[] = [];
  for (const { table, column } of MONTH_TABLES) {
    const old = (await partitions(sql, table)).filter(({ until }) => until <= monthOf(now, -keep));
    if (old.length === 0) continue;
    // Count before taking the lock, because counting reads whole partitions. Past months get no new
    // rows.
    const rowsOf = async ({ name, from, until }: Partition): Promise<PrunedPartition> => {
      const [row] = await sql<{ rows: number }[]>`
        SELECT count(*)::int AS rows FROM ${sql(table)} WHERE ${sql(column)} >= ${from} AND ${sql(column)} < ${until}`;
      return { name, rows: row?.rows ?? 0 };
    };
    const parts = await Promise.all(old.map(rowsOf));
    const detail = { keep_months: keep, parts };
    const record = (on: Queries) => recordAudit(on, { action: "audit_prune", detail }, actor);
    // On Citus, only one role can write to a table in a transaction, and only the owner can drop
    // partitions. So the record is inserted before that transaction, and stays if the drop fails.
    const isSeparate = await isOnCitus(sql);
    if (isSeparate) await record(sql);
    await inPartitionTransaction(sql, async (tx) => {
      if (!isSeparate) await record(tx);
      for (const { from } of old) await tx`SELECT oauth.drop_month(${table}, ${from})`;
    });
    pruned.push(...parts);
  }
  return pruned;
}
