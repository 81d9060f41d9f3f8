import type { Socket } from "node:net";
import type { StoreMeter } from "@partner-connect/service-runtime";
import postgres from "postgres";
import { driverAddress } from "../address/driver-address.ts";
import type { ServiceRole } from "../roles/role-password.ts";
import { STATEMENT_TIMEOUT } from "../roles/role-settings.ts";
import type { Row, Sql } from "./sql.ts";
import { watchedPool } from "./watched-pool.ts";

export interface DatabaseOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connections?: number;
  /** Milliseconds after which Postgres cancels a statement; default: the role's setting. */
  readonly statementTimeout?: number;
  /**
   * Milliseconds after which a statement or transaction fails, including the wait for a connection.
   * It may still be committed, if COMMIT was sent.
   */
  readonly deadline?: number | undefined;
  /** Postgres settings of every session, in addition to the role's (role-settings.ts). */
  readonly settings?: Readonly<Record<string, string | number>>;
  /**
   * The role, if the pool is a service's. Its connections are renewed (`lifetime`), and so leave a
   * server that was demoted or whose name moved. Default: a command's pool.
   */
  readonly service?: ServiceRole;
  /** Accepts a standby. Default: only a writable server. */
  readonly standby?: boolean;
  /**
   * True for results of up to a megabyte. Each session then allocates and frees 2 MB once, after
   * which glibc keeps the memory that Postgres frees after each statement.
   */
  readonly keepsMemory?: boolean;
  readonly observer?: StoreMeter | undefined;
  /**
   * Receives the events of `afterCommit`, in order. It must not throw. Default: events are dropped.
   */
  readonly onCommit?: ((event: Row) => void) | undefined;
}

export interface PoolOptions extends DatabaseOptions {
  /**
   * Milliseconds until a silent server counts as lost. If set, each connection also ends after 4 to
   * 6 s (`lifetime`). Default: TCP decides, after a quarter of an hour, and connections are kept.
   */
  readonly silence?: number;
}

/**
 * Returns a pool that connects on first use, and reconnects. For TLS see {@link driverAddress} and
 * `PGSSL`. Errors contain no password. @throws {DatabaseUrlError}, or if the file of `sslrootcert`
 * can't be read
 */
export function connectDatabase(databaseUrl: string, options: DatabaseOptions): Sql {
  const { observer, onCommit, deadline, service } = options;
  const silence = service && (options.statementTimeout ?? STATEMENT_TIMEOUT[service]) + ANSWER_MS;
  const driver = openDriver(databaseUrl, { ...options, ...(silence && { silence }) });
  return watchedPool(driver, { observer, onCommit, deadline });
}

/** Milliseconds beyond the statement timeout until a server without an answer counts as lost. */
const ANSWER_MS = 2000;

/**
 * Seconds until a service's connection ends, after the statement in progress. The next connection
 * resolves the address again and skips read-only servers. Connecting takes 10 ms of CPU.
 */
const lifetime = () => 4 + 2 * Math.random();

export type DriverPool = postgres.Sql;

export function openDriver(databaseUrl: string, options: PoolOptions): DriverPool {
  const address = driverAddress(databaseUrl, options);
  const { silence, statementTimeout } = options;
  const settings = {
    max: options.connections ?? 4,
    backoff: (failures: number) => failures && Math.min(0.1 * 2 ** failures, 1),
    onnotice: () => {},
    fetch_types: false,
    types: { ...ARRAY_TYPES, ...JSON_TYPES },
    ...address.options,
    // At most one statement at a time, so that no statement gets the answer of another.
    max_pipeline: 0,
    max_lifetime: (silence ? lifetime : null) as number | null, // the types lack the function
    onsocket: (socket: Socket) => {
      socket.setNoDelay();
      if (silence) endWhenSilent(socket, silence);
    },
    connection: { application_name: options.name },
    setup:
      setupStatement({
        ...SESSION_SETTINGS,
        ...(statementTimeout && { statement_timeout: statementTimeout }),
        ...options.settings,
      }) + (options.keepsMemory ? `, length(repeat(' ', ${2 * 1024 * 1024}))` : ""),
  };
  return postgres(address.url, settings) as unknown as DriverPool;
}

/**
 * Destroys a connection after `silence` milliseconds without traffic. TCP keepalive is no
 * substitute, because it is off while data is unacknowledged.
 */
export function endWhenSilent(socket: Socket, silence: number): void {
  socket.setTimeout(silence, () => {
    const before = socket.bytesRead;
    // In a busy process the timer may run before an answer that has arrived is read.
    setImmediate(() => {
      if (socket.bytesRead === before) socket.destroy();
    });
  });
}

/**
 * The settings that our statements depend on, because a server, database or role may have other
 * defaults. Not set here: `default_transaction_read_only`, with which a server refuses writes, and
 * the roles' timeouts.
 */
const SESSION_SETTINGS = {
  array_nulls: "on",
  bytea_output: "hex",
  DateStyle: "ISO, MDY",
  default_transaction_isolation: "read committed",
  extra_float_digits: 1,
  IntervalStyle: "postgres",
  lock_timeout: 0,
  quote_all_identifiers: "off",
  search_path: "public",
  standard_conforming_strings: "on",
  TimeZone: "UTC",
  transform_null_equals: "off",
};

/** A statement that sets what a pooler would refuse as connection parameters. */
function setupStatement(settings: Readonly<Record<string, string | number>>): string {
  const assignments = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `SELECT ${assignments.join(", ")}`;
}

/**
 * The array types that we use. Without `fetch_types: false` postgres.js would query them on each
 * new connection, and an error of that query ends the process.
 */
const ARRAY_TYPES = {
  textArray: { to: 1009, from: [1009, 1015], serialize: arrayLiteral, parse: parseTextArray },
  integerArray: { to: 1007, from: [], serialize: arrayLiteral, parse: String },
  bigintArray: { to: 1016, from: [], serialize: arrayLiteral, parse: String },
  timestamptzArray: { to: 1185, from: [], serialize: arrayLiteral, parse: String },
};

/** Sends a string as JSON text. postgres.js would encode it as a JSON string. */
const JSON_TYPES = Object.fromEntries(
  [114, 3802].map((oid) => {
    const serialize = (value: unknown) =>
      typeof value === "string" ? value : JSON.stringify(value);
    return [`json${oid}`, { to: oid, from: [oid], serialize, parse: JSON.parse }];
  }),
);

/**
 * Formats an array as `{"a","b \"c\"",NULL}`, and other values as text.
 * https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export function arrayLiteral(values: unknown): string {
  if (!Array.isArray(values)) return String(values);
  const elements = values.map((value) => {
    if (value === null || value === undefined) return "NULL";
    const plain = value instanceof Date ? value.toISOString() : value;
    const text = typeof plain === "object" ? JSON.stringify(plain) : String(plain);
    return `"${text.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${elements.join(",")}}`;
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs;

function parseTextArray(literal: string): (string | null)[] {
  if (!/^\{\}$|"|NULL/i.test(literal)) return literal.slice(1, -1).split(",");
  return Array.from(literal.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return bare === undefined || bare.toUpperCase() === "NULL" ? null : bare;
  });
}
