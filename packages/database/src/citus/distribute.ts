import { explainFailure, type MigrationSession, openSession } from "../migrate/locked-session.ts";
import { validateConstraints } from "../migrate/migrate.ts";
import { recordObjects, schemaDifferences, schemaObjects } from "../migrate/schema-objects.ts";
import { withShortLocks } from "../migrate/short-locks.ts";
import type { Queries, Sql, Transaction } from "../pool/sql.ts";
import { DistributionError, PLACEMENTS, type Placement, tablesToDistribute } from "./placements.ts";
import { isOnCitus } from "./settings.ts";

export interface DistributeOptions {
  /** Milliseconds to try for a lock. */
  readonly patience: number;
  readonly report?: ((line: string) => void) | undefined;
  /** See {@link MigrateOptions}. */
  readonly afterwards?: (sql: Sql) => Promise<void>;
}

/**
 * Distributes the tables that are not distributed yet, and returns their names. Tables by shop are
 * one transaction, because Citus refuses most statements that mix both kinds; until it commits,
 * none of them can be written. @throws {DistributionError} without the extension citus, or if a
 * table has no placement; {MigrationError} if a statement fails or gets no lock in time
 */
export async function distribute(url: string, options: DistributeOptions): Promise<string[]> {
  const session = openSession(url, options);
  const { sql } = session;
  try {
    await session.takeTurn();
    if (!(await isOnCitus(sql))) throw noCitus();
    const tables = await tablesToDistribute(sql);
    const placed = (where: Placement) =>
      tables.filter(({ placement }) => placement === where).map(({ table }) => table);
    const byShop = [...placed("by shop_id"), ...placed("by client_id")];
    await liftForeignKeys(session, byShop);
    for (const table of placed("everywhere")) {
      await step(
        session,
        [table],
        (tx) => tx`SELECT create_reference_table(${table}::text::regclass)`,
      );
    }
    await withShortLocks(sql, session, distributeFunctions);
    await withShortLocks(sql, session, setForms);
    for (const column of ["id", "authorization_hash"] as const) {
      for (const table of placed(`by ${column}`)) {
        await step(session, [table], (tx) => createDistributed(tx, table, column, "none"));
      }
    }
    if (byShop.length > 0) await step(session, byShop, (tx) => distributeTogether(tx, byShop));
    await restoreForeignKeys(session);
    await options.afterwards?.(sql);
    return tables.map(({ table }) => table);
  } finally {
    await session.end();
  }
}

async function step(
  session: MigrationSession,
  tables: readonly string[],
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await session.takeTurn();
  const title = `distribution of ${tables.join(", ")}`;
  const since = performance.now();
  await withShortLocks(session.sql, session, work).catch((error) =>
    explainFailure(error, title, session),
  );
  session.report(
    `distributed ${tables.join(", ")} (${((performance.now() - since) / 1000).toFixed(1)} s)`,
  );
}

/**
 * Creates our functions on every node. Citus propagates only functions created after the extension.
 */
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
async function distributeTogether(tx: Transaction, tables: readonly string[]): Promise<void> {
  // Lock all first, so that a failed lock is known before anything is copied.
  await tx.unsafe(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
  for (const table of tables) {
    const column = PLACEMENTS.get(table) === "by client_id" ? "client_id" : "shop_id";
    await createDistributed(tx, table, column, await neighbour(tx));
  }
}

async function createDistributed(tx: Transaction, table: string, column: string, beside: string) {
  await tx`SELECT create_distributed_table(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
}

/** A table already distributed by shop, to colocate others with. */
async function neighbour(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_dist_partition
      JOIN pg_class c ON c.oid = logicalrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE partmethod = 'h'`;
  return rows.find(({ name }) => PLACEMENTS.get(name) === "by shop_id")?.name ?? "default";
}

/**
 * Drops the tables' foreign keys while Citus moves them, because they would block reads. The
 * services don't need them.
 */
async function liftForeignKeys(session: MigrationSession, tables: readonly string[]) {
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
 * Restores the foreign keys that the migrations made, also after an interrupted run, and validates
 * them for rows added in between.
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

function noCitus(): DistributionError {
  return new DistributionError(
    "this database can't be distributed: it has no extension citus",
    "CITUS_MISSING",
    "on a cluster's coordinator, run CREATE EXTENSION citus and add the nodes; on one Postgres, leave --distribute out",
  );
}

/**
 * Makes a function that locks rows in this node's copy of the shards, by the shards' names. The
 * ordinary row lock of a reference table is taken on every node, and two sessions that lock FOR
 * SHARE wait for each other (`lock_shard_resources`). A change of the row changes each node's copy,
 * so locking one is enough.
 *
 * @param query a SELECT of `true` from the tables, whose names stand for %1$s, %2$s in it
 */
const lockingCopies = (
  signature: string,
  tables: readonly string[],
  query: string,
  parameters: string,
) => `
CREATE OR REPLACE FUNCTION directory.${signature} RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  copies CONSTANT text[] := ARRAY[${tables.map(copyOf).join(", ")}];
  is_found boolean;
BEGIN
  EXECUTE format('${query} FOR SHARE', VARIADIC copies) INTO is_found USING ${parameters};
  RETURN is_found IS TRUE;
END $$`;

const copyOf = (table: string) =>
  `(SELECT shard_name(logicalrelid, shardid) FROM pg_dist_shard WHERE logicalrelid = '${table}'::regclass)`;

const lockMembership = (name: string, column: "shop" | "client", table: string) =>
  lockingCopies(
    `${name}(merchant text, ${column} text, epoch integer)`,
    [table, "directory.merchants"],
    `SELECT true FROM %1$s m JOIN %2$s p ON p.id = m.merchant_id
      WHERE m.merchant_id = $1 AND m.${column}_id = $2 AND p.status = ''active'' AND p.session_epoch = $3`,
    `merchant, ${column}, epoch`,
  );

const LOCK_SHOP = lockingCopies(
  "lock_shop(shop text)",
  ["directory.shops"],
  "SELECT true FROM %1$s WHERE id = $1 AND erase_requested_at IS NULL",
  "shop",
);

/**
 * Replaces schema objects with variants that Citus accepts, and records them. Idempotent. The
 * directory must be distributed.
 */
async function setForms(tx: Transaction): Promise<void> {
  const before = await schemaObjects(tx);
  await tx.unsafe(lockMembership("lock_membership", "shop", "directory.memberships"));
  await tx.unsafe(LOCK_SHOP);
  await tx.unsafe(lockMembership("lock_client_membership", "client", "directory.client_members"));
  await recordObjects(tx, before);
}
