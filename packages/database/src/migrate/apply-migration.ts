import { statementsOf } from "../citus/statements.ts";
import type { MigrationSession } from "./locked-session.ts";
import { isApplied, type Migration, noteApplied } from "./migration-files.ts";
import { recordObjects, schemaObjects } from "./schema-objects.ts";
import { isAutovacuum } from "./session-watch.ts";
import { LOCK_WAIT_MS, withShortLocks } from "./short-locks.ts";

/** Milliseconds. Postgres cancels an autovacuum that has blocked a lock for `deadlock_timeout`, a second. */
const AUTOVACUUM_WAIT_MS = 1200;

/** Applies and records the migration in one transaction. False if it was already applied. @throws 55P03: no lock in time */
export async function applyMigration(
  { sql, patience, watch }: MigrationSession,
  migration: Migration,
  onCitus: boolean,
): Promise<boolean> {
  const lockWait = () => (watch.holders.some(isAutovacuum) ? AUTOVACUUM_WAIT_MS : LOCK_WAIT_MS);
  return await withShortLocks(sql, { patience, lockWait }, async (tx) => {
    if (await isApplied(tx, migration)) return false;
    const before = await schemaObjects(tx);
    for (const text of onCitus ? statementsOf(migration.script) : [migration.script]) await tx.unsafe(text);
    await recordObjects(tx, before);
    await noteApplied(tx, migration);
    return true;
  });
}
