import { setTimeout as pause } from "node:timers/promises";
import { openDriver } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { watchedPool } from "../pool/watched-pool.ts";
import { type SessionWatch, watchSession } from "./session-watch.ts";

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
  /** Waits until no other session migrates. Call it before each step, because a lost connection loses the lock. */
  takeTurn(): Promise<void>;
  end(): Promise<void>;
}

export interface SessionOptions {
  readonly patience: number;
  readonly report?: ((line: string) => void) | undefined;
}

export function openSession(url: string, { patience, report = () => {} }: SessionOptions): MigrationSession {
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
        // Polls: a statement that waits in Postgres holds a snapshot, which would block concurrent steps of a distribution.
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
