import Postgrator from "postgrator";
import { isAutovacuum } from "./lock-holders.ts";
import type { MigrationSession } from "./migration-session.ts";
import { LOCK_WAIT_MS, withShortLocks } from "./short-locks.ts";
import { statementsOf } from "./statements.ts";

/** Milliseconds: Postgres ends an autovacuum that somebody has waited for during `deadlock_timeout`, a second. */
const AUTOVACUUM_WAIT_MS = 1200;

/** One of the files that `pattern` names. */
export interface Step {
  readonly version: number;
  readonly pattern: string;
  /** Milliseconds that one try waits for a lock. */
  readonly lockWait?: number | undefined;
}

/** Applies the migration and notes it in one transaction: wholly or not at all. False: it was applied already. */
export async function applyInTransaction(
  { sql, patience, watch }: MigrationSession,
  { version, pattern, lockWait = LOCK_WAIT_MS }: Step,
): Promise<boolean> {
  const wait = () => (watch.holders.some(isAutovacuum) ? Math.max(lockWait, AUTOVACUUM_WAIT_MS) : lockWait);
  return await withShortLocks(sql, { patience, lockWait: wait }, async (tx) => {
    const postgrator = new Postgrator({
      driver: "pg",
      migrationPattern: pattern,
      schemaTable: "public.schema_version",
      validateChecksums: false, // migrate has done that
      execQuery: async (query) => ({ rows: await tx.unsafe(query) }),
      execSqlScript: async (script) => {
        // One by one, as a cluster sends its other nodes the whole text that it was sent.
        for (const statement of statementsOf(script)) await tx.unsafe(statement);
      },
    });
    return (await postgrator.migrate(String(version))).length > 0;
  });
}
