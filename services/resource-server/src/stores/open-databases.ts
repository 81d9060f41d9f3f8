import { connectDatabase, type Queries, type Sql, STATEMENT_TIMEOUT } from "@partner-connect/database";
import type { StoreMeter } from "@partner-connect/service-runtime";
import { Database, Writes } from "./database.ts";
import { Turns } from "./turns.ts";

/** What a request waits in addition, for a free connection. */
const QUEUE_MS = 500;

/** A shop's reads under way, or fewer that are heavier. With fewer, a shop that asks a lot gets fewer pages a second. */
const READS_OF_SHOP = 32;

/** Reads under way: the connections answer this number in about a tenth of a second. */
const READS_IN_ALL = 300;

/** Reads that wait for their turn. Half of them may be one shop's. */
const READS_WAITING = 500;

/** Large pages that wait for their turn. Their memory is held already, and there is room for fewer. */
const LARGE_READS_WAITING = 100;

/** One statement at a time each. */
const CONNECTIONS = 6;

/** For very large pages. It is opened when the first one comes. */
const LARGE_CONNECTIONS = 1;

/** How many shops can have a slow write at a time. */
const WRITE_CONNECTIONS = 4;

/** Part of the statement timeout that a write may wait for a lock of another session. Then its caller may try again. */
const LOCK_SHARE = 1 / 3;

export interface Databases {
  readonly reads: Database;
  /** A pool of their own: a write may wait for a lock, and reads must not wait behind it. */
  readonly writes: Writes;
  /** The pool of ordinary `reads`, without turns. */
  readonly sql: Queries;
  end(): Promise<void>;
}

export interface OpenDatabasesOptions {
  /** Milliseconds; default: as it is set for the role. */
  readonly statementTimeout?: number | undefined;
  /** Learn of every statement. */
  readonly observers?: { readonly reads: StoreMeter; readonly writes: StoreMeter };
}

/** The pools. They connect at first use, and again after a connection is lost. Postgres ends a statement after `statementTimeout`. */
export function openDatabases(url: string, options: OpenDatabasesOptions = {}): Databases {
  const { statementTimeout: ownTimeout, observers } = options;
  const statementTimeout = ownTimeout ?? STATEMENT_TIMEOUT.resource_server;
  const connectReader = (name: string, connections: number): Sql =>
    connectDatabase(url, {
      name,
      connections,
      ...(ownTimeout && { statementTimeout: ownTimeout }),
      service: "resource_server",
      observer: observers?.reads,
    });
  const reader = connectReader("resource-server", CONNECTIONS);
  const largeReader = connectReader("resource-server large pages", LARGE_CONNECTIONS);
  const writing = connectDatabase(url, {
    name: "resource-server writes",
    connections: WRITE_CONNECTIONS,
    ...(ownTimeout && { statementTimeout: ownTimeout }),
    service: "resource_server",
    settings: { lock_timeout: Math.round(statementTimeout * LOCK_SHARE) },
    observer: observers?.writes,
  });
  const timeout = statementTimeout + QUEUE_MS;
  const ordinary = { ofShop: READS_OF_SHOP, inAll: READS_IN_ALL, mostWaiting: READS_WAITING };
  const large = { ofShop: 1, inAll: LARGE_CONNECTIONS, mostWaiting: LARGE_READS_WAITING };
  const refusal = "too_many_statements";
  return {
    reads: new Database({
      ordinary: { sql: reader, turns: new Turns({ timeout, refusal, ...ordinary }) },
      large: { sql: largeReader, turns: new Turns({ timeout, refusal, ...large }) },
    }),
    writes: new Writes(writing, { timeout, connections: WRITE_CONNECTIONS }),
    sql: reader,
    end: async () => void (await Promise.all([reader, largeReader, writing].map((pool) => pool.end({ timeout: 5 })))),
  };
}
