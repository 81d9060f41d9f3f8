import { connectDatabase, connectRowReader, type Queries } from "@partner-connect/database";
import { SESSION_SETTINGS } from "../session-settings.ts";
import { Database } from "./database.ts";
import { Writes } from "./writes.ts";

/** Pages take milliseconds: Postgres ends a statement after this. */
const STATEMENT_TIMEOUT_MS = 3000;

/** How much longer than a statement may run its answer may be under way. */
const ANSWER_MS = 2000;

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
  /** On the pool that reads. */
  readonly sql: Queries;
  end(): Promise<void>;
}

/** The two pools. They connect on first use and by themselves again after a loss. */
export function openDatabases(url: string, statementTimeout = STATEMENT_TIMEOUT_MS): Databases {
  const silence = statementTimeout + ANSWER_MS;
  const reader = connectRowReader(url, {
    name: "resource-server",
    connections: CONNECTIONS,
    statementTimeout,
    silence,
    settings: SESSION_SETTINGS,
  });
  const writing = connectDatabase(url, {
    name: "resource-server writes",
    connections: WRITE_CONNECTIONS,
    statementTimeout,
    silence,
    settings: { ...SESSION_SETTINGS, lock_timeout: String(Math.round(statementTimeout * LOCK_SHARE)) },
  });
  const timeout = statementTimeout + QUEUE_MS;
  return {
    reads: new Database(reader, { timeout, most: MOST_STATEMENTS }),
    writes: new Writes(writing, { timeout, connections: WRITE_CONNECTIONS }),
    sql: reader.sql,
    end: async () => void (await Promise.all([reader.end({ timeout: 5 }), writing.end({ timeout: 5 })])),
  };
}
