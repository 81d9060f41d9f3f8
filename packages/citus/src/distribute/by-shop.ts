import {
  explainFailure,
  type MigrationSession,
  type Queries,
  type Transaction,
  withShortLocks,
} from "@partner-connect/database";
import { PLACEMENTS } from "../placements.ts";

/** Copies the tables to the shards, which lie beside those that are there. Meanwhile all can be read, and none written. */
export async function distributeTogether(tx: Transaction, tables: readonly string[]): Promise<void> {
  // All at once, so that a lock that is not to be had is known before anything was copied.
  await tx.unsafe(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
  for (const table of tables) await createDistributed(tx, table, "shop_id", await neighbour(tx));
}

export async function createDistributed(tx: Transaction, table: string, column: string, beside: string) {
  await tx`SELECT create_distributed_table(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
}

/**
 * Distributes one table while it is read and written: Citus copies it, and what changes meanwhile by logical replication. If it ends
 * halfway, the table can be used as before, and the next call begins anew.
 */
export async function distributeLive(session: MigrationSession, table: string): Promise<void> {
  const { sql } = session;
  const explain = (error: unknown) =>
    explainFailure(error, { title: `distribution of ${table}`, isOutside: true, session });
  const since = performance.now();
  await session.takeTurn();
  // Citus would do the first step by itself, and wait for the lock without end, with everybody behind it.
  if (!(await isKnown(sql, table))) {
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

/** Whether Citus routes what asks the table, wherever it is. */
async function isKnown(sql: Queries, table: string): Promise<boolean> {
  const found = await sql`SELECT FROM pg_dist_partition WHERE logicalrelid = ${table}::text::regclass`;
  return found.length > 0;
}

/** A table that lies by shop already, for others to lie beside. */
async function neighbour(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_dist_partition
      JOIN pg_class c ON c.oid = logicalrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE partmethod = 'h'`;
  return rows.find(({ name }) => PLACEMENTS.get(name) === "by shop_id")?.name ?? "default";
}
