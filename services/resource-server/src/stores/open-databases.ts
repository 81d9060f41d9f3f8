import {
  connectDatabase,
  connectRowReader,
  type Queries,
  STATEMENT_TIMEOUT,
  type StatementObserver,
} from "@partner-connect/database";
import { Database } from "./database.ts";
import { Writes } from "./writes.ts";

/** How much longer than a statement may run its answer may be under way. */
const ANSWER_MS = 2000;

/** What a request waits in addition, for a free connection. */
const QUEUE_MS = 500;

/** The connections answer so many in about a tenth of a second. */
const MAX_STATEMENTS = 300;

/** Two pipelined connections deliver as much as one process can pass on. With more, each gets smaller writes. */
const CONNECTIONS = 2;

/** So many shops can have a slow write at a time. */
const WRITE_CONNECTIONS = 4;

/** Part of the statement timeout that a write may wait for a lock of another session. Then its caller may try again. */
const LOCK_SHARE = 1 / 3;

export interface Databases {
  readonly reads: Database;
  /** A pool of their own: a write may wait for a lock, and reads must not wait behind it. */
  readonly writes: Writes;
  /** The pool of `reads`. */
  readonly sql: Queries;
  end(): Promise<void>;
}

export interface OpenDatabasesOptions {
  /** Milliseconds; default: as it is set for the role. */
  readonly statementTimeout?: number | undefined;
  /** Learn of every statement. */
  readonly observers?: { readonly reads: StatementObserver; readonly writes: StatementObserver };
}

/**
 * The two pools. They connect when they are first used, and again by themselves after a connection is lost. Pages take
 * milliseconds: Postgres ends a statement after `statementTimeout`.
 */
export function openDatabases(url: string, options: OpenDatabasesOptions = {}): Databases {
  const { statementTimeout: ownTimeout, observers } = options;
  const statementTimeout = ownTimeout ?? STATEMENT_TIMEOUT.resource_server;
  const silence = statementTimeout + ANSWER_MS;
  const reader = connectRowReader(url, {
    name: "resource-server",
    connections: CONNECTIONS,
    ...(ownTimeout && { statementTimeout: ownTimeout }),
    silence,
    observer: observers?.reads,
  });
  const writing = connectDatabase(url, {
    name: "resource-server writes",
    connections: WRITE_CONNECTIONS,
    ...(ownTimeout && { statementTimeout: ownTimeout }),
    silence,
    settings: { lock_timeout: Math.round(statementTimeout * LOCK_SHARE) },
    observer: observers?.writes,
  });
  const timeout = statementTimeout + QUEUE_MS;
  return {
    reads: new Database(reader, { timeout, maxStatements: MAX_STATEMENTS }),
    writes: new Writes(writing, { timeout, connections: WRITE_CONNECTIONS }),
    sql: reader.sql,
    end: async () => void (await Promise.all([reader.end({ timeout: 5 }), writing.end({ timeout: 5 })])),
  };
}
