import { isApplied, noteApplied } from "./applied-migrations.ts";
import { isAutovacuum } from "./lock-holders.ts";
import type { Migration } from "./migration-files.ts";
import type { MigrationSession } from "./migration-session.ts";
import { LOCK_WAIT_MS, withShortLocks } from "./short-locks.ts";
import { statementsOf } from "./statements.ts";

/** Milliseconds: Postgres ends an autovacuum that somebody has waited for during `deadlock_timeout`, a second. */
const AUTOVACUUM_WAIT_MS = 1200;

/**
 * Applies the migration and notes it in one transaction: wholly or not at all. False: it was applied already.
 * @param lockWait milliseconds that one try waits for a lock
 * @throws 55P03 when a lock was not to be had during the session's `patience`
 */
export async function applyInTransaction(
  { sql, patience, watch }: MigrationSession,
  migration: Migration,
  lockWait: number = LOCK_WAIT_MS,
): Promise<boolean> {
  const wait = () => (watch.holders.some(isAutovacuum) ? Math.max(lockWait, AUTOVACUUM_WAIT_MS) : lockWait);
  return await withShortLocks(sql, { patience, lockWait: wait }, async (tx) => {
    if (await isApplied(tx, migration)) return false;
    // One by one, as a cluster sends its other nodes the whole text that it was sent.
    for (const statement of statementsOf(migration.script)) await tx.unsafe(statement);
    await noteApplied(tx, migration);
    return true;
  });
}
