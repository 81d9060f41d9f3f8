import {
  explainFailure,
  type MigrationSession,
  type Queries,
  type Transaction,
  validateConstraints,
  withShortLocks,
} from "@partner-connect/database";
import { PLACEMENTS } from "../placements.ts";

/** Copies the tables to the shards, which lie beside those that are there. Meanwhile all can be read, and none written. */
export async function distributeTogether(tx: Transaction, tables: readonly string[]): Promise<void> {
  // All at once, so that a lock that is not to be had is known before anything was copied.
  await tx.unsafe(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
  for (const table of tables) {
    const column = PLACEMENTS.get(table) === "by client_id" ? "client_id" : "shop_id";
    await createDistributed(tx, table, column, await neighbour(tx));
  }
}

export async function createDistributed(tx: Transaction, table: string, column: string, beside: string) {
  await tx`SELECT create_distributed_table(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
}

/** Distributes one table while it is read and written. If it ends halfway, the next call begins anew. */
export async function distributeLive(session: MigrationSession, table: string): Promise<void> {
  const { sql } = session;
  const explain = (error: unknown) =>
    explainFailure(error, { title: `distribution of ${table}`, isPartial: true, session });
  const since = performance.now();
  await session.takeTurn();
  // Citus would do the first step by itself, and wait for the lock without end, with everybody behind it.
  const known = await sql`SELECT FROM pg_dist_partition WHERE logicalrelid = ${table}::text::regclass`;
  if (known.length === 0) {
    const add = (tx: Transaction) => tx`SELECT citus_add_local_table_to_metadata(${table}::text::regclass)`;
    await withShortLocks(sql, session, add).catch(explain);
  }
  const [column, beside] = ["shop_id", await neighbour(sql)];
  await sql
    .unsafe(`SELECT create_distributed_table_concurrently('${table}', '${column}', colocate_with => '${beside}')`)
    .catch(explain);
  session.report(
    `distributed ${table} while it could be written (${((performance.now() - since) / 1000).toFixed(1)} s)`,
  );
}

/** A table that lies by shop already, for others to lie beside. */
async function neighbour(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_dist_partition
      JOIN pg_class c ON c.oid = logicalrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE partmethod = 'h'`;
  return rows.find(({ name }) => PLACEMENTS.get(name) === "by shop_id")?.name ?? "default";
}

/** Those that are lifted, until they are back: so a run that ended halfway is followed by one that puts them back. */
const LIFTED = "public.lifted_foreign_keys";

/** Lifts the tables' foreign keys, which services don't need, while Citus moves them: with them nobody could read meanwhile. */
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
  const [row] = await sql<{ there: boolean }[]>`SELECT to_regclass(${LIFTED}) IS NOT NULL AS there`;
  if (!row?.there) return;
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
