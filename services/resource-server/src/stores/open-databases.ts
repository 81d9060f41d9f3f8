import { connectDatabase, type Sql } from "@partner-connect/database";
import { SESSION_SETTINGS } from "../session-settings.ts";
import { Database } from "./database.ts";
import { Writes } from "./writes.ts";

/** Pages take milliseconds: Postgres ends a statement after this. */
const STATEMENT_TIMEOUT_MS = 3000;

/** How much longer a request waits, for a busy pool. */
const QUEUE_MS = 500;

/** What the connections work off in about a tenth of a second. */
const MOST_STATEMENTS = 300;

/** Two pipelined ones read as much as one process can pass on; more of them mean smaller writes to each. */
const CONNECTIONS = 2;

/** For as many shops whose writes take their time. */
const WRITE_CONNECTIONS = 4;

/** Of the statement's time, what a write may wait for a lock that another session holds: its caller may try again. */
const LOCK_SHARE = 1 / 3;

export interface Databases {
  readonly reads: Database;
  /** Apart, as a write may wait for another one and reads must not wait with it. */
  readonly writes: Writes;
  /** The pool that reads. */
  readonly sql: Sql;
  end(): Promise<void>;
}

/** The two pools. They connect on first use and by themselves again after a loss. */
export function openDatabases(url: string, statementTimeout = STATEMENT_TIMEOUT_MS): Databases {
  const pool = (name: string, connections: number, settings: Readonly<Record<string, string>>): Sql =>
    connectDatabase(url, { name, connections, statementTimeout, settings, reuseReadBuffer: true });
  const lockTimeout = String(Math.round(statementTimeout * LOCK_SHARE));
  const sql = pool("resource-server", CONNECTIONS, SESSION_SETTINGS);
  const writing = pool("resource-server writes", WRITE_CONNECTIONS, { ...SESSION_SETTINGS, lock_timeout: lockTimeout });
  const timeout = statementTimeout + QUEUE_MS;
  return {
    reads: new Database(sql, { timeout, most: MOST_STATEMENTS }),
    writes: new Writes(writing, { timeout, connections: WRITE_CONNECTIONS }),
    sql,
    end: async () => void (await Promise.all([sql.end({ timeout: 5 }), writing.end({ timeout: 5 })])),
  };
}
