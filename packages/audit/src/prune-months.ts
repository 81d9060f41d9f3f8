import type { Sql, Transaction } from "@partner-connect/database";
import { makeMonths } from "./make-months.ts";
import { changeParts, MONTH_TABLES, type MonthTable, monthOf, type Part, partsOf } from "./month-tables.ts";
import { type Actor, recordAudit } from "./record-audit.ts";

/** A month of a table. */
export interface PrunedPart {
  /** Such as `oauth.audit_log_2026_11`. */
  readonly name: string;
  /** Everything in it is older. */
  readonly until: Date;
  readonly rows: number;
}

/** The parts in which everything is older than the current month and the `keep` months before it. */
export async function prunableParts(sql: Sql, keep: number, now: Date = new Date()): Promise<PrunedPart[]> {
  const found: PrunedPart[] = [];
  for (const table of MONTH_TABLES) {
    for (const part of await outdated(sql, table, keep, now)) found.push(await counted(sql, table, part));
    const standing = await outdatedInDefault(sql, table, monthOf(now, -keep));
    if (standing.rows > 0) found.push(standing);
  }
  return found;
}

/** Drops those parts, each table's in one transaction with a record of it, and returns them. Needs the owner's role. */
export async function pruneMonths(
  sql: Sql,
  { keep, now = new Date() }: { readonly keep: number; readonly now?: Date },
  actor: Actor,
): Promise<PrunedPart[]> {
  await makeMonths(sql, now);
  const pruned: PrunedPart[] = [];
  for (const table of MONTH_TABLES) {
    const parts: PrunedPart[] = [];
    // Before the lock, as it reads the parts whole. Nothing comes into months that are over.
    for (const part of await outdated(sql, table, keep, now)) parts.push(await counted(sql, table, part));
    if (parts.length > 0) pruned.push(...(await changeParts(sql, table, (tx) => drop(tx, parts, keep, actor))));
  }
  return pruned;
}

async function drop(tx: Transaction, parts: readonly PrunedPart[], keep: number, actor: Actor): Promise<PrunedPart[]> {
  const dropped: PrunedPart[] = [];
  for (const part of parts) {
    const [{ oid } = { oid: null }] = await tx`SELECT to_regclass(${part.name}::text) AS oid`;
    if (oid === null) continue; // by another prune
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

/** What came before its month was made. {@link pruneMonths} makes it first. */
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
