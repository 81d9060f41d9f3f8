import {
  type MigrationSession,
  openSession,
  throwMigrationError,
} from "../migrate/locked-session.ts";
import { validateConstraints } from "../migrate/migrate.ts";
import { recordObjects, schemaDifferences, schemaObjects } from "../migrate/schema-objects.ts";
import { withShortLocks } from "../migrate/short-locks.ts";
import type { Queries, Sql, Transaction } from "../pool/sql.ts";
import { DistributionError, PLACEMENTS, type Placement, tablesToDistribute } from "./placements.ts";
import { isOnCitus } from "./settings.ts";

export interface DistributeOptions {
  /** Milliseconds for which a step tries to get its locks. */
  readonly patience: number;
  readonly report?: ((line: string) => void) | undefined;
  /** See {@link MigrateOptions}. */
  readonly afterwards?: (sql: Sql) => Promise<void>;
}

/**
 * Distributes the tables that are not distributed yet, and returns their names. Tables by shop or
 * client are distributed in one transaction, because Citus refuses most statements that use both
 * distributed and other tables; until the commit they can't be written. @throws {DistributionError}
 * without citus or a table's placement; {MigrationError} if a statement fails or gets no lock
 */
export async function distribute(url: string, options: DistributeOptions): Promise<string[]> {
  const session = openSession(url, options);
  const { sql } = session;
  try {
    await session.takeLock();
    if (!(await isOnCitus(sql))) throw noCitusError();
    const tables = await tablesToDistribute(sql);
    const placed = (where: Placement) =>
      tables.filter(({ placement }) => placement === where).map(({ table }) => table);
    const byShop = [...placed("by shop_id"), ...placed("by client_id")];
    await dropForeignKeys(session, byShop);
    for (const table of placed("everywhere")) {
      await runStep(
        session,
        [table],
        (tx) => tx`SELECT create_reference_table(${table}::text::regclass)`,
      );
    }
    await withShortLocks(sql, session, distributeFunctions);
    await withShortLocks(sql, session, installCitusFunctions);
    for (const column of ["id", "authorization_hash"] as const) {
      for (const table of placed(`by ${column}`)) {
        await runStep(session, [table], (tx) => createDistributed(tx, table, column, "none"));
      }
    }
    if (byShop.length > 0) await runStep(session, byShop, (tx) => distributeColocated(tx, byShop));
    await restoreForeignKeys(session);
    await options.afterwards?.(sql);
    return tables.map(({ table }) => table);
  } finally {
    await session.end();
  }
}

async function runStep(
  session: MigrationSession,
  tables: readonly string[],
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await session.takeLock();
  const title = `distribution of ${tables.join(", ")}`;
  const since = performance.now();
  await withShortLocks(session.sql, session, work).catch((error) =>
    throwMigrationError(error, title, session),
  );
  session.report(
    `distributed ${tables.join(", ")} (${((performance.now() - since) / 1000).toFixed(1)} s)`,
  );
}

/** Creates our functions on every node: Citus propagates only those created after the extension. */
async function distributeFunctions(tx: Transaction): Promise<void> {
  await tx`
    SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE nspname IN ('directory', 'oauth', 'survey')
      AND NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
    ORDER BY p.oid`;
}

/**
 * Copies the tables to shards, colocated with existing ones. During the copy they can be read, but
 * not written.
 */
async function distributeColocated(tx: Transaction, tables: readonly string[]): Promise<void> {
  // Lock all tables first, so that a lock timeout occurs before anything is copied.
  await tx.unsafe(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
  for (const table of tables) {
    const column = PLACEMENTS.get(table) === "by client_id" ? "client_id" : "shop_id";
    await createDistributed(tx, table, column, await findColocationTable(tx));
  }
}

async function createDistributed(tx: Transaction, table: string, column: string, beside: string) {
  await tx`SELECT create_distributed_table(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
}

/** The name of a table that is already distributed by shop, or `default`, for `colocate_with`. */
async function findColocationTable(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_dist_partition
      JOIN pg_class c ON c.oid = logicalrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE partmethod = 'h'`;
  return rows.find(({ name }) => PLACEMENTS.get(name) === "by shop_id")?.name ?? "default";
}

/**
 * Drops the tables' foreign keys while Citus moves them, because they would block reads. The
 * services don't need them.
 */
async function dropForeignKeys(session: MigrationSession, tables: readonly string[]) {
  await withShortLocks(session.sql, session, async (tx) => {
    const keys = await tx<{ table: string; name: string }[]>`
      SELECT format('%I.%I', nspname, relname) AS table, conname AS name
      FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace n ON n.oid = relnamespace
      WHERE contype = 'f' AND conparentid = 0 AND format('%I.%I', nspname, relname) = ANY (${[...tables]}::text[])`;
    for (const { table, name } of keys)
      await tx`ALTER TABLE ${tx(table)} DROP CONSTRAINT ${tx(name)}`;
  });
}

/**
 * Restores the foreign keys that the migrations created, even if an interrupted run dropped them,
 * and validates them for rows added in between.
 */
async function restoreForeignKeys(session: MigrationSession): Promise<void> {
  const { sql } = session;
  const { missing } = await schemaDifferences(sql);
  for (const { definition } of missing.filter(({ definition }) =>
    definition.includes(" FOREIGN KEY "),
  )) {
    await withShortLocks(sql, session, (tx) => tx.unsafe(definition.replace(/;$/, " NOT VALID")));
  }
  await validateConstraints(sql);
}

function noCitusError(): DistributionError {
  return new DistributionError(
    "this database can't be distributed: it has no extension citus",
    "CITUS_MISSING",
    "on a cluster's coordinator, run CREATE EXTENSION citus and add the nodes; on one Postgres, leave --distribute out",
  );
}

/**
 * SQL that creates a function which locks rows only in this node's copies of reference tables, by
 * the shards' names. Citus takes an ordinary row lock on every node, and there even sessions that
 * lock FOR SHARE wait for each other (`lock_shard_resources`). A change of the row changes each
 * node's copy, so locking one is enough.
 * @param query a SELECT of `true`, in which %1$s and %2$s stand for the names of the tables' shards
 */
const lockFunctionSql = (
  signature: string,
  tables: readonly string[],
  query: string,
  parameters: string,
) => `
CREATE OR REPLACE FUNCTION directory.${signature} RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  copies CONSTANT text[] := ARRAY[${tables.map(shardNameSql).join(", ")}];
  is_found boolean;
BEGIN
  EXECUTE format('${query} FOR SHARE', VARIADIC copies) INTO is_found USING ${parameters};
  RETURN is_found IS TRUE;
END $$`;

const shardNameSql = (table: string) =>
  `(SELECT shard_name(logicalrelid, shardid) FROM pg_dist_shard WHERE logicalrelid = '${table}'::regclass)`;

const lockMembershipSql = (name: string, column: "shop" | "client", table: string) =>
  lockFunctionSql(
    `${name}(merchant text, ${column} text, epoch integer)`,
    [table, "directory.merchants"],
    `SELECT true FROM %1$s m JOIN %2$s p ON p.id = m.merchant_id
      WHERE m.merchant_id = $1 AND m.${column}_id = $2 AND p.status = ''active'' AND p.session_epoch = $3`,
    `merchant, ${column}, epoch`,
  );

const LOCK_SHOP_SQL = lockFunctionSql(
  "lock_shop(shop text)",
  ["directory.shops"],
  "SELECT true FROM %1$s WHERE id = $1 AND erase_requested_at IS NULL",
  "shop",
);

/**
 * Replaces our lock functions by variants for Citus, and records them as schema objects. Idempotent.
 * The directory's tables must be distributed.
 */
async function installCitusFunctions(tx: Transaction): Promise<void> {
  const before = await schemaObjects(tx);
  await tx.unsafe(lockMembershipSql("lock_membership", "shop", "directory.memberships"));
  await tx.unsafe(LOCK_SHOP_SQL);
  await tx.unsafe(
    lockMembershipSql("lock_client_membership", "client", "directory.client_members"),
  );
  await recordObjects(tx, before);
}
