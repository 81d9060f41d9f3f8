import {
  explainFailure,
  type MigrationSession,
  openSession,
  type Transaction,
  withShortLocks,
} from "@partner-connect/database";
import { AUDIT_LOG, LARGEST, type Placement, tablesToDistribute } from "../placements.ts";
import { holdersOnOtherNodes } from "../session-settings.ts";
import {
  createDistributed,
  distributeLive,
  distributeTogether,
  liftForeignKeys,
  restoreForeignKeys,
} from "./by-shop.ts";

export interface DistributeOptions {
  /** Milliseconds for which to try to get a lock. */
  readonly patience: number;
  readonly report?: ((line: string) => void) | undefined;
  /** Whether responses can be written while they are copied. Then pages fail until the rest follows, and writes until the log has. */
  readonly live?: boolean | undefined;
}

/**
 * Distributes the tables that are not distributed yet, and returns their names. Those by shop follow in one transaction, as Citus refuses
 * most statements that name tables of both kinds; until it commits none can be written. With `live` the largest goes first, the log last.
 * @throws {DistributionError} if a table has no placement; {MigrationError} when one fails, or gets no lock in time
 */
export async function distribute(url: string, { live = false, ...options }: DistributeOptions): Promise<string[]> {
  const session = openSession(url, { ...options, holdersElsewhere: holdersOnOtherNodes });
  const { sql } = session;
  try {
    await session.takeTurn();
    const tables = await tablesToDistribute(sql);
    const placed = (where: Placement) =>
      tables.filter(({ placement }) => placement === where).map(({ table }) => table);
    const byShop = [...placed("by shop_id"), ...placed("by client_id")];
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

async function step(
  session: MigrationSession,
  tables: readonly string[],
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await session.takeTurn();
  const title = `distribution of ${tables.join(", ")}`;
  const since = performance.now();
  await withShortLocks(session.sql, session, work).catch((error) =>
    explainFailure(error, { title, isPartial: false, session }),
  );
  session.report(`distributed ${tables.join(", ")} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
}

/** Makes our functions on every node. Citus does so by itself only in a database that had the extension before them. */
async function distributeFunctions(tx: Transaction): Promise<void> {
  await tx`
    SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE nspname IN ('directory', 'oauth', 'survey')
      AND NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
    ORDER BY p.oid`;
}
