import type { TransactionSql } from "postgres";
import { explainFailure } from "../migrate/migration-error.ts";
import { type MigrationSession, openSession, type SessionOptions } from "../migrate/migration-session.ts";
import { withShortLocks } from "../migrate/short-locks.ts";
import { createDistributed, distributeLive, distributeTogether } from "./by-shop.ts";
import { DistributionError } from "./distribution-error.ts";
import { liftForeignKeys, restoreForeignKeys } from "./foreign-keys.ts";
import { distributeFunctions } from "./functions.ts";
import { isOnCluster } from "./is-on-cluster.ts";
import { AUDIT_LOG, LARGEST, type Placement } from "./placements.ts";
import { tablesToDistribute } from "./tables-to-distribute.ts";

export interface DistributeOptions extends SessionOptions {
  /**
   * Whether responses can be written while they are copied. It takes longer; then pages fail while what they are joined with follows, and
   * writes until the audit log has.
   */
  readonly live?: boolean;
}

/**
 * Distributes the tables of a migrated database that are not distributed yet, as `PLACEMENTS` has it, and returns their names. Those
 * that lie by shop follow in one transaction: statements name several of them, and Citus refuses most that name a table that is
 * distributed and one that isn't. Until it commits all can be read, and none written. With `live` the largest goes before them, and the
 * audit log after them. `url` is the owner's, of a Citus cluster's coordinator. Safe to repeat.
 * @throws {DistributionError}
 * @throws {MigrationError} when a table fails, or its lock is not to be had in time
 */
export async function distribute(url: string, { live = false, ...options }: DistributeOptions): Promise<string[]> {
  const session = openSession(url, options);
  const { sql } = session;
  try {
    await session.takeTurn();
    if (!(await isOnCluster(sql))) throw noCluster();
    const tables = await tablesToDistribute(sql);
    const placed = (where: Placement) =>
      tables.filter(({ placement }) => placement === where).map(({ table }) => table);
    const byShop = placed("by shop_id");
    await liftForeignKeys(session, byShop);
    for (const table of placed("everywhere")) {
      await step(session, [table], (tx) => tx`SELECT create_reference_table(${table}::text::regclass)`);
    }
    await withShortLocks(sql, session, distributeFunctions);
    for (const table of placed("by id")) {
      await step(session, [table], (tx) => createDistributed(tx, table, "id", "none"));
    }
    for (const table of live ? byShop.filter(isLargest) : []) await distributeLive(session, table);
    for (const tables of live ? [byShop.filter(isSmall), byShop.filter(isAuditLog)] : [byShop]) {
      if (tables.length > 0) await step(session, tables, (tx) => distributeTogether(tx, tables));
    }
    await restoreForeignKeys(session);
    return tables.map(({ table }) => table);
  } finally {
    await session.end();
  }
}

const isLargest = (table: string): boolean => table === LARGEST;
const isAuditLog = (table: string): boolean => table === AUDIT_LOG;
const isSmall = (table: string): boolean => !isLargest(table) && !isAuditLog(table);

/** One transaction. */
async function step(
  session: MigrationSession,
  tables: readonly string[],
  work: (tx: TransactionSql) => Promise<unknown>,
): Promise<void> {
  await session.takeTurn();
  const title = `distribution of ${tables.join(", ")}`;
  const since = performance.now();
  await withShortLocks(session.sql, session, work).catch((error) =>
    explainFailure(error, { title, isOutside: false, session }),
  );
  session.report(`distributed ${tables.join(", ")} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
}

function noCluster(): DistributionError {
  return new DistributionError(
    "this database can't be distributed: it has no extension citus",
    "CITUS_MISSING",
    "on a cluster's coordinator, run CREATE EXTENSION citus and add the nodes; on one Postgres, leave --distribute out",
  );
}
