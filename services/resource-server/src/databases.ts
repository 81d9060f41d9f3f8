import { connectDatabase, type Sql, STATEMENT_TIMEOUT } from "@partner-connect/database";
import type { StoreMeter } from "@partner-connect/service-runtime";

/** Milliseconds to wait for a free connection, in addition to the statement timeout. */
const QUEUE_MS = 500;

const READ_CONNECTIONS = 6;

/** Connections of the pool for writes: as many shops can have a slow write at a time. */
export const WRITE_CONNECTIONS = 4;

/** Share of the statement timeout that a write may wait for a lock. */
const LOCK_SHARE = 1 / 3;

export interface Databases {
  readonly reads: Sql;
  /** A separate pool for writes, because they may wait for locks and must not delay reads. */
  readonly writes: Sql;
  end(): Promise<void>;
}

export interface OpenDatabasesOptions {
  /** Milliseconds; default: the role's setting. */
  readonly statementTimeout?: number | undefined;
  readonly observers?: { readonly reads: StoreMeter; readonly writes: StoreMeter };
}

export function openDatabases(
  url: string,
  { statementTimeout, observers }: OpenDatabasesOptions = {},
): Databases {
  const timeout = statementTimeout ?? STATEMENT_TIMEOUT.resource_server;
  const common = {
    ...(statementTimeout && { statementTimeout }),
    deadline: timeout + QUEUE_MS,
    service: "resource_server",
  } as const;
  const reads = connectDatabase(url, {
    ...common,
    name: "resource-server",
    connections: READ_CONNECTIONS,
    keepsMemory: true,
    observer: observers?.reads,
  });
  const writes = connectDatabase(url, {
    ...common,
    name: "resource-server writes",
    connections: WRITE_CONNECTIONS,
    settings: { lock_timeout: Math.round(timeout * LOCK_SHARE) },
    observer: observers?.writes,
  });
  return { reads, writes, end: async () => void (await Promise.all([reads.end(), writes.end()])) };
}
