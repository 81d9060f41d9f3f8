import type { ISql } from "postgres";
import { explainFailure } from "../migrate/migration-error.ts";
import { type MigrationSession, openSession, type SessionOptions } from "../migrate/migration-session.ts";
import { withShortLocks } from "../migrate/short-locks.ts";
import { DistributionError } from "./distribution-error.ts";
import { isOnCluster } from "./is-on-cluster.ts";
import { FIRST_BY_SHOP, type Placement } from "./placements.ts";
import { type TableToDistribute, tablesToDistribute } from "./tables-to-distribute.ts";

/**
 * Distributes the tables of a migrated database that are not distributed yet, as `PLACEMENTS` has it, and returns their names. `url` is
 * the owner's, of a Citus cluster's coordinator. Each commits by itself; it is safe to repeat, and while services run: a table that is
 * everywhere is small, and is copied while its writers wait; a larger one that has rows is copied beside its writers, by logical
 * replication.
 * @throws {DistributionError}
 * @throws {MigrationError} when a table fails, or its lock is not to be had in time
 */
export async function distribute(url: string, options: SessionOptions): Promise<string[]> {
  const session = openSession(url, options);
  try {
    await session.takeTurn();
    if (!(await isOnCluster(session.sql))) throw noCluster();
    const undistributed = await tablesToDistribute(session.sql);
    for (const { table, placement } of undistributed) {
      await session.takeTurn();
      await distributeTable(session, { table, placement }).catch((error) =>
        explainFailure(error, { title: `distribution of ${table}`, isOutside: false, session }),
      );
      session.report(`distributed ${table}, ${placement}`);
    }
    for (const { table } of undistributed.filter(({ placement }) => placement === "everywhere")) {
      // What it was copied from, which nobody sees any more.
      await session.sql`SELECT truncate_local_data_after_distributing_table(${table}::text::regclass)`;
    }
    return undistributed.map(({ table }) => table);
  } finally {
    await session.end();
  }
}

async function distributeTable(session: MigrationSession, { table, placement }: TableToDistribute): Promise<void> {
  const { sql } = session;
  if (placement === "everywhere") {
    await withShortLocks(sql, session, (tx) => tx`SELECT create_reference_table(${table}::text::regclass)`);
    return;
  }
  const [column, beside] = placeOf(table, placement);
  const [first] = await sql`SELECT FROM ${sql(table)} LIMIT 1`;
  if (first) {
    await sql`SET citus.enable_unsafe_triggers = on`;
    await sql`
      SELECT create_distributed_table_concurrently(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
  } else {
    const distribution = (tx: ISql) =>
      tx`SELECT create_distributed_table(${table}::text::regclass, ${column}, colocate_with => ${beside}::text)`;
    await withShortLocks(sql, session, distribution);
  }
}

/** The column by which it is distributed, and beside which table. */
function placeOf(table: string, placement: Placement): readonly [column: string, beside: string] {
  if (placement === "by id") return ["id", "none"];
  return ["shop_id", table === FIRST_BY_SHOP ? "default" : FIRST_BY_SHOP];
}

function noCluster(): DistributionError {
  return new DistributionError(
    "this database can't be distributed: it has no extension citus",
    "CITUS_MISSING",
    "on a cluster's coordinator, run CREATE EXTENSION citus and add the nodes; on one Postgres, leave --distribute out",
  );
}
