import { type MigrationSession, type Queries, validateConstraints, withShortLocks } from "@partner-connect/database";

/** Those that are lifted, until they are back: so a run that ended halfway is followed by one that puts them back. */
const LIFTED = "public.lifted_foreign_keys";

/**
 * Takes the tables' foreign keys away while they are distributed. With them Citus would move a table in two steps, which nobody
 * could read meanwhile, nor what it refers to. Nothing that they refer to is deleted by a service.
 */
export async function liftForeignKeys(session: MigrationSession, tables: readonly string[]): Promise<void> {
  await withShortLocks(session.sql, session, async (tx) => {
    const keys = await tx<{ table: string; name: string; definition: string }[]>`
      SELECT format('%I.%I', nspname, relname) AS table, conname AS name, pg_get_constraintdef(k.oid) AS definition
      FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace n ON n.oid = relnamespace
      WHERE contype = 'f' AND conparentid = 0 AND format('%I.%I', nspname, relname) = ANY (${[...tables]}::text[])`;
    if (keys.length === 0) return;
    await tx.unsafe(`CREATE TABLE IF NOT EXISTS ${LIFTED} ("table" text, name text, definition text)`);
    for (const { table, name, definition } of keys) {
      await tx.unsafe(`INSERT INTO ${LIFTED} VALUES ($1, $2, $3)`, [table, name, definition]);
      await tx`ALTER TABLE ${tx(table)} DROP CONSTRAINT ${tx(name)}`;
    }
  });
}

/** Puts back what was lifted, and lets Postgres look whether it holds for the rows that came meanwhile. */
export async function restoreForeignKeys(session: MigrationSession): Promise<void> {
  const { sql } = session;
  if (!(await isThere(sql))) return;
  const keys = await sql.unsafe<{ table: string; name: string; definition: string }[]>(`SELECT * FROM ${LIFTED}`);
  for (const { table, name, definition } of keys) {
    await withShortLocks(sql, session, async (tx) => {
      await tx.unsafe(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID`);
      await tx.unsafe(`DELETE FROM ${LIFTED} WHERE "table" = $1 AND name = $2`, [table, name]);
    });
  }
  await sql.unsafe(`DROP TABLE ${LIFTED}`);
  await validateConstraints(sql);
}

async function isThere(sql: Queries): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`SELECT to_regclass(${LIFTED}) IS NOT NULL AS there`;
  return row?.there === true;
}
