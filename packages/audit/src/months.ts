import { type Queries, type Sql, type Transaction, withShortLocks } from "@partner-connect/database";
import { type Actor, recordAudit } from "./record-audit.ts";

/** A table partitioned by month, and its time column. The default partition takes rows outside of all months. */
interface MonthTable {
  readonly schema: "oauth" | "directory";
  readonly name: "audit_log" | "api_usage";
  readonly column: "at" | "hour";
}

const MONTH_TABLES: readonly MonthTable[] = [
  { schema: "directory", name: "audit_log", column: "at" },
  { schema: "oauth", name: "audit_log", column: "at" },
  { schema: "oauth", name: "api_usage", column: "hour" },
];

/** A partition other than the default: from the start of a month in UTC to the start of a later one. */
interface Part {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
}

/** The partitions, oldest first. */
async function partsOf(sql: Queries, { schema, name }: MonthTable): Promise<Part[]> {
  return await sql<Part[]>`
    SELECT c.relname AS name, bounds[1]::timestamptz AS "from", bounds[2]::timestamptz AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\) TO \\(''([^'']+)''\\)') AS bounds
    WHERE i.inhparent = ${`${schema}.${name}`}::text::regclass AND bounds IS NOT NULL
    ORDER BY 3`;
}

/** The start in UTC of the month `months` after that of `time`. */
function monthOf(time: Date, months = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));
}

/** Milliseconds to try for the locks. */
const PATIENCE = 10_000;

/** Changes a table's partitions in one transaction, which blocks writers, so `work` must be short. @throws 55P03 without a lock in time */
async function changeParts<T>(
  sql: Sql,
  { schema, name }: MonthTable,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return await withShortLocks(sql, { patience: PATIENCE }, async (tx) => {
    await tx`LOCK TABLE ONLY ${tx(`${schema}.${name}`)} IN ACCESS EXCLUSIVE MODE`;
    return await work(tx);
  });
}

/** The ranges of the partitioned tables. Reads only the catalog, which every role may read. */
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
    /** Partitions after the current month. Negative if the current month is missing. */
    monthsAhead,
    /** Upper bound of the oldest partition; null if there is none. */
    oldestUntil: parts[0]?.until ?? null,
  };
}

/** Months after the current one, so `migrate` must run once a year. */
const AHEAD = 13;

/** Creates missing partitions up to {@link AHEAD}, and returns their names. Idempotent. Needs the owner's role. */
export async function makeMonths(sql: Sql, now: Date = new Date()): Promise<string[]> {
  const made: string[] = [];
  for (const table of MONTH_TABLES) {
    // Check without a lock first, so that a call with nothing to do blocks no writer.
    const stray = await sql`SELECT FROM ${sql(`${table.schema}.${table.name}_default`)} LIMIT 1`;
    if (stray.length > 0) made.push(...(await changeParts(sql, table, (tx) => emptyDefault(tx, table))));
    // A transaction per month, because writers wait for it.
    const months = Array.from({ length: AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
    for (const month of months.filter(isMissingIn(await partsOf(sql, table)))) {
      made.push(...(await changeParts(sql, table, (tx) => makeMonth(tx, table, month))));
    }
  }
  return made;
}

/** Returns nothing if another call has created it. The default partition may have rows of the month. */
async function makeMonth(tx: Transaction, table: MonthTable, month: Date): Promise<string[]> {
  const made = await emptyDefault(tx, table);
  const isMissing = isMissingIn(await partsOf(tx, table));
  return isMissing(month) ? [...made, await makePart(tx, table, month)] : made;
}

/** Moves rows from the default partition to their months: with these rows a month can't be created, and audit records can't be deleted. */
async function emptyDefault(tx: Transaction, table: MonthTable): Promise<string[]> {
  const { schema, name, column } = table;
  const [parent, standing, aside] = [tx(`${schema}.${name}`), tx(`${schema}.${name}_default`), `${name}_aside`];
  const stray = await tx<{ month: Date }[]>`
    SELECT DISTINCT date_trunc('month', ${tx(column)}, 'UTC') AS month FROM ${standing} ORDER BY 1`;
  if (stray.length === 0) return [];
  await tx`ALTER TABLE ${parent} DETACH PARTITION ${standing}`;
  await tx`ALTER TABLE ${standing} RENAME TO ${tx(aside)}`;
  await tx`CREATE TABLE ${standing} PARTITION OF ${parent} DEFAULT`;
  await keepFromBeingEmptied(tx, table, `${name}_default`);
  const made: string[] = [];
  const isMissing = isMissingIn(await partsOf(tx, table));
  for (const { month } of stray.filter(({ month }) => isMissing(month))) made.push(await makePart(tx, table, month));
  await tx`INSERT INTO ${parent} SELECT * FROM ${tx(`${schema}.${aside}`)}`;
  await tx`DROP TABLE ${tx(`${schema}.${aside}`)}`;
  return made;
}

function isMissingIn(parts: readonly Part[]): (month: Date) => boolean {
  return (month) => !parts.some(({ from, until }) => from <= month && month < until);
}

async function makePart(tx: Transaction, table: MonthTable, month: Date): Promise<string> {
  const { schema, name } = table;
  const part = `${name}_${month.toISOString().slice(0, 7).replace("-", "_")}`;
  const bound = (time: Date) => tx.unsafe(`'${time.toISOString()}'`); // DDL takes no parameters
  await tx`
    CREATE TABLE ${tx(`${schema}.${part}`)} PARTITION OF ${tx(`${schema}.${name}`)}
    FOR VALUES FROM (${bound(month)}) TO (${bound(monthOf(month, 1))})`;
  await keepFromBeingEmptied(tx, table, part);
  return `${schema}.${part}`;
}

/** A partition inherits the parent's row triggers, but not its TRUNCATE triggers. */
async function keepFromBeingEmptied(tx: Transaction, { schema, name }: MonthTable, part: string): Promise<void> {
  if (name !== "audit_log") return;
  await tx`
    CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON ${tx(`${schema}.${part}`)}
    FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change()`;
}

export interface PrunedPart {
  /** Such as `oauth.audit_log_2026_11`. */
  readonly name: string;
  /** All rows are older. */
  readonly until: Date;
  readonly rows: number;
}

/** The partitions older than the current month and the `keep` months before it. */
export async function prunableParts(sql: Sql, keep: number, now: Date = new Date()): Promise<PrunedPart[]> {
  const found: PrunedPart[] = [];
  for (const table of MONTH_TABLES) {
    for (const part of await outdated(sql, table, keep, now)) found.push(await counted(sql, table, part));
    const standing = await outdatedInDefault(sql, table, monthOf(now, -keep));
    if (standing.rows > 0) found.push(standing);
  }
  return found;
}

/** Drops these partitions, in one transaction per table with a record, and returns them. Needs the owner's role. */
export async function pruneMonths(
  sql: Sql,
  { keep, now = new Date() }: { readonly keep: number; readonly now?: Date },
  actor: Actor,
): Promise<PrunedPart[]> {
  await makeMonths(sql, now);
  const pruned: PrunedPart[] = [];
  for (const table of MONTH_TABLES) {
    const parts: PrunedPart[] = [];
    // Count before taking the lock, because it reads whole partitions. Past months get no new rows.
    for (const part of await outdated(sql, table, keep, now)) parts.push(await counted(sql, table, part));
    if (parts.length > 0) pruned.push(...(await changeParts(sql, table, (tx) => drop(tx, parts, keep, actor))));
  }
  return pruned;
}

async function drop(tx: Transaction, parts: readonly PrunedPart[], keep: number, actor: Actor): Promise<PrunedPart[]> {
  const dropped: PrunedPart[] = [];
  for (const part of parts) {
    const [{ oid } = { oid: null }] = await tx`SELECT to_regclass(${part.name}::text) AS oid`;
    if (oid === null) continue; // dropped by a concurrent call
    await tx`DROP TABLE ${tx(part.name)}`;
    dropped.push(part);
  }
  const told = dropped.map(({ name, rows }) => ({ name, rows }));
  if (told.length > 0)
    await recordAudit(tx, { action: "audit_prune", detail: { keep_months: keep, parts: told } }, actor);
  return dropped;
}

async function outdated(sql: Sql | Transaction, table: MonthTable, keep: number, now: Date): Promise<Part[]> {
  const kept = monthOf(now, -keep);
  return (await partsOf(sql, table)).filter(({ until }) => until <= kept);
}

/** Rows added before their month was created. {@link pruneMonths} creates it first. */
async function outdatedInDefault(sql: Sql, { schema, name, column }: MonthTable, until: Date): Promise<PrunedPart> {
  const part = `${schema}.${name}_default`;
  const [row] = await sql<{ rows: number }[]>`
    SELECT count(*)::int AS rows FROM ${sql(part)} WHERE ${sql(column)} < ${until}`;
  return { name: part, until, rows: row?.rows ?? 0 };
}

async function counted(sql: Sql | Transaction, { schema }: MonthTable, part: Part): Promise<PrunedPart> {
  const name = `${schema}.${part.name}`;
  const [row] = await sql<{ rows: number }[]>`SELECT count(*)::int AS rows FROM ${sql(name)}`;
  return { name, until: part.until, rows: row?.rows ?? 0 };
}
