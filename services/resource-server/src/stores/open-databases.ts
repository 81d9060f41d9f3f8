import { connectDatabase, type Sql } from "@partner-connect/database";
import { SESSION_SETTINGS } from "../session-settings.ts";
import { Database } from "./database.ts";

/** Pages take milliseconds: Postgres ends a statement after this. */
const STATEMENT_TIMEOUT_MS = 3000;

/** How much longer a request waits, for a busy pool. */
const QUEUE_MS = 500;

/** What the connections work off in about a tenth of a second. */
const MOST_STATEMENTS = 300;

/** Two pipelined ones read as much as one process can pass on; more of them mean smaller writes to each. */
const CONNECTIONS = 2;

export interface Databases {
  readonly reads: Database;
  /** Apart, as a write may wait for another one and reads must not wait with it. */
  readonly writes: Database;
  /** The pool that reads. */
  readonly sql: Sql;
  end(): Promise<void>;
}

/** The two pools. They connect on first use and by themselves again after a loss. */
export function openDatabases(url: string, statementTimeout = STATEMENT_TIMEOUT_MS): Databases {
  const pool = (name: string): Sql =>
    connectDatabase(url, {
      name,
      connections: CONNECTIONS,
      statementTimeout,
      settings: SESSION_SETTINGS,
      reuseReadBuffer: true,
    });
  const [sql, writing] = [pool("resource-server"), pool("resource-server writes")];
  const bounds = { timeout: statementTimeout + QUEUE_MS, most: MOST_STATEMENTS };
  return {
    reads: new Database(sql, bounds),
    writes: new Database(writing, bounds),
    sql,
    end: async () => void (await Promise.all([sql.end({ timeout: 5 }), writing.end({ timeout: 5 })])),
  };
}
