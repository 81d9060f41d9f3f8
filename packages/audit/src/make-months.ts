import type { Sql, Transaction } from "@partner-connect/database";
import { changeParts, MONTH_TABLES, type MonthTable, monthOf, type Part, partsOf } from "./month-tables.ts";

/** Months after the current one: `migrate` has to run once a year. */
const AHEAD = 13;

/** Makes the parts that are missing until {@link AHEAD}, and returns their names. Safe to repeat. Needs the owner's role. */
export async function makeMonths(sql: Sql, now: Date = new Date()): Promise<string[]> {
  const made: string[] = [];
  for (const table of MONTH_TABLES) {
    // Looked at without a lock first, so that a call with nothing to do holds up no writer.
    const stray = await sql`SELECT FROM ${sql(`${table.schema}.${table.name}_default`)} LIMIT 1`;
    if (stray.length > 0) made.push(...(await changeParts(sql, table, (tx) => emptyDefault(tx, table))));
    // A transaction for each, as writers wait for it: on a cluster a part takes some tenths of a second.
    const months = Array.from({ length: AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
    for (const month of months.filter(isMissingIn(await partsOf(sql, table)))) {
      made.push(...(await changeParts(sql, table, (tx) => makeMonth(tx, table, month))));
    }
  }
  return made;
}

/** Not if another call has made it meanwhile. Rows of the month may have come into the default part until now. */
async function makeMonth(tx: Transaction, table: MonthTable, month: Date): Promise<string[]> {
  const made = await emptyDefault(tx, table);
  const isMissing = isMissingIn(await partsOf(tx, table));
  return isMissing(month) ? [...made, await makePart(tx, table, month)] : made;
}

/** Moves rows of the default part into their months. A month of theirs can't be made before, nor can an audit record be deleted. */
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

/** A part gets the parent's triggers of rows by itself, but none of TRUNCATE. */
async function keepFromBeingEmptied(tx: Transaction, { schema, name }: MonthTable, part: string): Promise<void> {
  if (name !== "audit_log") return;
  await tx`
    CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON ${tx(`${schema}.${part}`)}
    FOR EACH STATEMENT EXECUTE FUNCTION oauth.refuse_change()`;
}
