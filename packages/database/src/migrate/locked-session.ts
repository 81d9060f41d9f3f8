import { setTimeout as pause } from "node:timers/promises";
import { openDriver } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { watchedPool } from "../pool/watched-pool.ts";
import { describeHolder, type LockHolder, lockHolders } from "./lock-holders.ts";
import { isLockFailure, LOCK_WAIT_MS } from "./short-locks.ts";

/** The key of the advisory lock that a session holds while it migrates. */
const LOCK = "7032019941";

/** Milliseconds between attempts to get the lock. */
const LOCK_PACE = 200;

/**
 * Milliseconds to wait for a lock that an autovacuum holds: longer than `deadlock_timeout`, a
 * second, after which Postgres cancels the autovacuum.
 */
const AUTOVACUUM_WAIT_MS = 1200;

export type MigrationSession = ReturnType<typeof openSession>;

interface SessionOptions {
  /** Milliseconds for which a migration tries to get its locks. */
  readonly patience: number;
  readonly report?: ((line: string) => void) | undefined;
}

export function openSession(url: string, { patience, report = () => {} }: SessionOptions) {
  const sql = watchedPool(openDriver(url, { name: "migrate", connections: 1 }), {});
  let holders: readonly LockHolder[] = [];
  let reported = "";
  return {
    sql,
    patience,
    report,
    /** The sessions that held locks when the last attempt failed. */
    get holders() {
      return holders;
    },
    lockWait: () =>
      holders.some(({ type }) => type === "autovacuum worker") ? AUTOVACUUM_WAIT_MS : LOCK_WAIT_MS,
    async onLockFailure() {
      holders = await lockHolders(sql);
      const by = holders.map(({ pid }) => pid).join();
      if (holders[0] && by !== reported)
        report(`waiting for ${holders[0].table}: ${describeHolders(holders)}`);
      reported = by;
    },
    /**
     * Waits for the migrations' lock. Call it before each step, because a lost connection loses the
     * lock.
     */
    async takeLock() {
      for (let tries = 0; ; tries++) {
        const [row] = await sql<{ mine: boolean }[]>`
          SELECT pg_try_advisory_lock(${LOCK}::bigint) AS mine,
            set_config('statement_timeout', '0', false), set_config('lock_timeout', ${String(patience)}, false),
            -- If this process is killed, its statement ends, which frees the lock.
            set_config('client_connection_check_interval', '1s', false)`;
        if (row?.mine) return;
        if (tries === 5) report("waiting for another migrate on this database");
        // Poll, because a statement that waits in Postgres holds a snapshot, which would block the
        // other session's distribution.
        await pause(LOCK_PACE);
      }
    },
    end: () => sql.end({ timeout: 5 }),
  };
}

const describeHolders = (holders: readonly LockHolder[]) =>
  `held by ${holders.map(describeHolder).join(", ")}`;

/** A migration failed. Earlier ones stay applied, and the next call begins with the failed one. */
class MigrationError extends Error {
  override readonly name = "MigrationError";
  readonly code: "MIGRATION_LOCKED" | "MIGRATION_FAILED";
  readonly hint: string;

  constructor(code: MigrationError["code"], message: string, hint: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}

/**
 * Another version has migrated the database: it has an unknown migration, or a different one of the
 * same name.
 */
export class SchemaHistoryError extends Error {
  override readonly name = "SchemaHistoryError";
  readonly code = "SCHEMA_HISTORY";
  readonly hint: string;

  constructor(database: string, foreign: string) {
    super(`the database ${database} was migrated by another version: ${foreign}`);
    this.hint = `use that version, or start afresh: DROP DATABASE ${database}`;
  }
}

/**
 * @throws {MigrationError} if a migration got no lock in time, or a statement was refused;
 * otherwise `error`
 */
export function throwMigrationError(
  error: unknown,
  title: string,
  session: MigrationSession,
): never {
  if (isLockFailure(error)) {
    const { holders } = session;
    const by = holders.length > 0 ? `, ${describeHolders(holders)}` : "";
    const seconds = Math.round(session.patience / 1000);
    const pid = holders.find((holder) => holder.pid !== null)?.pid;
    const end = pid === undefined ? "" : `, or end it with 'SELECT pg_terminate_backend(${pid})'`;
    const locked = `migration ${title} changed nothing: it got no lock within ${seconds} s${by}`;
    const hint = `run migrate again when that session has ended${end}`;
    throw new MigrationError("MIGRATION_LOCKED", locked, hint, error);
  }
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (
    isDatabaseFault(error) ||
    code === undefined ||
    code === "42501" ||
    !/^[0-9A-Z]{5}$/.test(code)
  )
    throw error;
  const hint = "earlier migrations are applied; the next run begins with this one";
  const problem = `migration ${title} changed nothing: ${message} (${code})`;
  throw new MigrationError("MIGRATION_FAILED", problem, hint, error);
}
