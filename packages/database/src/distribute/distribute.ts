import type { TransactionSql } from "postgres";
import { explainFailure } from "../migrate/migration-error.ts";
import { openSession, type SessionOptions } from "../migrate/migration-session.ts";
import { withShortLocks } from "../migrate/short-locks.ts";
import { DistributionError } from "./distribution-error.ts";
import { isOnCluster } from "./is-on-cluster.ts";
import { FIRST_BY_SHOP, type Placement } from "./placements.ts";
import { tablesToDistribute } from "./tables-to-distribute.ts";

/**
 * Distributes the tables of a migrated database that are not distributed yet, as `PLACEMENTS` has it, and returns their names. Each is
 * a transaction of its own, beside which nobody can write the table. `url` is the owner's, of a Citus cluster's coordinator.
 * Safe to repeat.
 * @throws {DistributionError}
 * @throws {MigrationError} when a table fails, or its lock is not to be had in time
 */
export async function distribute(url: string, options: SessionOptions): Promise<string[]> {
  const session = openSession(url, options);
  try {
    await session.takeTurn();
    if (!(await isOnCluster(session.sql))) throw noCluster();
    const distributed: string[] = [];
    for (const { table, placement } of await tablesToDistribute(session.sql)) {
      await session.takeTurn();
      await withShortLocks(session.sql, session, (tx) => distributeTable(tx, table, placement)).catch((error) =>
        explainFailure(error, { title: `distribution of ${table}`, isOutside: false, session }),
      );
      distributed.push(table);
      session.report(`distributed ${table}, ${placement}`);
    }
    return distributed;
  } finally {
    await session.end();
  }
}

async function distributeTable(tx: TransactionSql, table: string, placement: Placement): Promise<void> {
  // What our triggers touch is on the same node as the row.
  await tx`SET LOCAL citus.enable_unsafe_triggers = on`;
  // One connection to each node, as foreign keys lead from one table to another.
  await tx`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`;
  if (placement === "everywhere") {
    await tx`SELECT create_reference_table(${table}::text::regclass)`;
    return;
  }
  const [column, beside] =
    placement === "by id" ? ["id", "none"] : ["shop_id", table === FIRST_BY_SHOP ? "default" : FIRST_BY_SHOP];
  await tx`SELECT create_distributed_table(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
}

function noCluster(): DistributionError {
  return new DistributionError(
    "this database can't be distributed: it has no extension citus",
    "CITUS_MISSING",
    "on a cluster's coordinator, run CREATE EXTENSION citus and add the nodes; on one Postgres, leave --distribute out",
  );
}
