import { Socket } from "node:net";
import { tracing } from "@partner-connect/telemetry";
import postgres from "postgres";
import { ARRAY_TYPES } from "./array-types.ts";
import { messageSocket } from "./message-socket.ts";
import { endWhenSilent } from "./silent-server.ts";
import { driverAddress } from "./tls.ts";
import { tracedPool } from "./traced-pool.ts";

export type Sql = postgres.Sql;

export interface DatabaseOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Connections of this pool. A few, with pipelining, serve more than many. */
  readonly connections?: number;
  /** Milliseconds after which Postgres cancels a statement. */
  readonly statementTimeout?: number;
  /** Postgres settings of every session, such as the planner's. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Milliseconds after which a server that was asked and sends nothing counts as lost; by default TCP decides. Without
   * effect over TLS or on a list of hosts.
   */
  readonly silence?: number;
}

/** Of this package alone. */
export interface PoolOptions extends DatabaseOptions {
  /** Reads by {@link messageSocket}. Raw rows and COPY are then not safe to use. Without effect over TLS or on a list of hosts. */
  readonly reuseReadBuffer?: boolean;
}

/**
 * A pool of connections to `databaseUrl`. It connects when it is first used, and again by itself when a connection is lost.
 * `end()` waits for statements under way, {@link END_SECONDS} at most. For TLS see {@link driverAddress}; `PGSSL` in the
 * environment asks for it too. Error messages hold neither passwords nor parameters: postgres.js puts none there.
 */
export function connectDatabase(databaseUrl: string, options: DatabaseOptions): Sql {
  return openPool(databaseUrl, { ...options, reuseReadBuffer: false });
}

export function openPool(databaseUrl: string, options: PoolOptions): Sql {
  const { url, ssl } = driverAddress(databaseUrl);
  const settings = {
    max: options.connections ?? 4,
    connect_timeout: 2,
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 1),
    onnotice: () => {},
    fetch_types: false,
    types: ARRAY_TYPES,
    ...(ssl && { ssl }),
    connection: {
      application_name: options.name,
      ...(options.statementTimeout && { statement_timeout: options.statementTimeout }),
      ...options.settings,
    },
  };
  let sql = postgres(url, settings);
  if ((options.reuseReadBuffer || options.silence) && isPlain(sql.options)) {
    sql = postgres(url, { ...settings, socket: socketOpener(options) } as typeof settings);
  }
  const end = sql.end;
  sql.end = (limit) => end({ timeout: END_SECONDS, ...limit });
  // With fetch_types off, postgres.js never hands over a connection that it opens for reserve().
  sql.reserve = () => Promise.reject(new Error("a connection can't be reserved here: use transaction()"));
  const traces = tracing();
  return (traces ? tracedPool(sql, traces) : sql) as unknown as Sql;
}

/** Without a limit, postgres.js never stops waiting for a connection that was lost while it had a statement. */
const END_SECONDS = 5;

/** What postgres.js gives to the function that opens its socket; its types don't say. */
interface SocketOptions {
  readonly host: readonly string[];
  readonly port: readonly number[];
}

function socketOpener({ reuseReadBuffer, silence = Number.POSITIVE_INFINITY }: PoolOptions) {
  return ({ host: [host = ""], port: [port = 0] }: SocketOptions): Socket => {
    const address = { host, port, noDelay: true };
    if (reuseReadBuffer) return messageSocket(address, silence);
    const socket = new Socket().connect(address);
    return socket.on("data", endWhenSilent(socket, silence));
  };
}

/** One host by TCP, and no TLS: postgres.js itself says so, as it reads the URL and the environment. */
function isPlain({ host, path, ssl }: postgres.ParsedOptions): boolean {
  return host.length === 1 && !path && !ssl;
}
