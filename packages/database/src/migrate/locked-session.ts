import { setTimeout as pause } from "node:timers/promises";
import { openDriver } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import type { Sql } from "../pool/sql.ts";
import { watchedPool } from "../pool/watched-pool.ts";
import { describeHolders, type SessionWatch, watchSession } from "./session-watch.ts";
import { isHeldUp } from "./short-locks.ts";

/** The advisory lock of migrations. */
const LOCK = "7032019941";

/** Milliseconds between attempts to get the lock. */
const TURN_PACE = 200;

export interface MigrationSession {
  readonly sql: Sql;
  /** Milliseconds to try for a lock. */
  readonly patience: number;
  readonly report: (line: string) => void;
  readonly watch: SessionWatch;
  /**
   * Waits until no other session migrates. Call it before each step, because a lost connection
   * loses the lock.
   */
  takeTurn(): Promise<void>;
  end(): Promise<void>;
}

interface SessionOptions {
  readonly patience: number;
  readonly report?: ((line: string) => void) | undefined;
}

export function openSession(
  url: string,
  { patience, report = () => {} }: SessionOptions,
): MigrationSession {
  const sql = open(url, "migrate");
  const watching = open(url, "migrate watch");
  const watch = watchSession(watching, report);
  return {
    sql,
    patience,
    report,
    watch,
    async takeTurn() {
      for (let tries = 0; ; tries++) {
        const [row] = await sql<{ pid: number; mine: boolean }[]>`
          SELECT pg_backend_pid() AS pid, pg_try_advisory_lock(${LOCK}::bigint) AS mine,
            set_config('statement_timeout', '0', false), set_config('lock_timeout', ${String(patience)}, false),
            -- When this process is killed, its statement ends too, and with it the turn.
            set_config('client_connection_check_interval', '1s', false)`;
        if (row?.mine) return watch.follow(row.pid);
        if (tries === 5) report("another migrate is at work on this database; waiting for it");
        // Polls: a statement that waits in Postgres holds a snapshot, which would block concurrent
        // steps of a distribution.
        await pause(TURN_PACE);
      }
    },
    async end() {
      await watch.stop();
      await Promise.all([sql.end({ timeout: 5 }), watching.end({ timeout: 1 })]);
    },
  };
}

function open(url: string, name: string): Sql {
  return watchedPool(openDriver(url, { name, connections: 1 }), {});
}

/** A migration was not applied. Earlier ones were, and the next call begins with this one. */
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
export function explainFailure(error: unknown, title: string, session: MigrationSession): never {
  if (isHeldUp(error)) {
    const { holders } = session.watch;
    const by = holders.length > 0 ? `, ${describeHolders(holders)}` : "";
    const seconds = Math.round(session.patience / 1000);
    const pid = holders.find((holder) => holder.pid > 0)?.pid;
    const end = pid === undefined ? "" : `, or end it by 'SELECT pg_terminate_backend(${pid})'`;
    const locked = `migration ${title} changed nothing: it got no lock within ${seconds} s${by}`;
    throw new MigrationError(
      "MIGRATION_LOCKED",
      locked,
      `run it again when that has ended${end}`,
      error,
    );
  }
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (
    isDatabaseFault(error) ||
    code === undefined ||
    code === "42501" ||
    !/^[0-9A-Z]{5}$/.test(code)
  )
    throw error;
  const hint = "those before it are applied; the next run begins with it";
  throw new MigrationError(
    "MIGRATION_FAILED",
    `migration ${title} changed nothing: ${message} (${code})`,
    hint,
    error,
  );
}
