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
  /** Milliseconds after which Postgres cancels a statement; by default what is set for the role. */
  readonly statementTimeout?: number;
  /**
   * Milliseconds after which a statement outside of a transaction, or a whole transaction, rejects with a fault, waiting for a
   * connection included. A transaction that is late is rolled back, if its COMMIT was not sent yet. Default: none.
   */
  readonly deadline?: number | undefined;
  /** Postgres settings of every session, beside those of the role (role-settings.ts). */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** A service's pool: it leaves a server that was demoted, or whose name has moved, within ten seconds. Default: a command's. */
  readonly service?: ServiceRole;
  /** A standby may answer. Default: only a server that can be written to. */
  readonly standby?: boolean;
  readonly observer?: StoreMeter | undefined;
  /** Receives what `afterCommit` was given, in its order. It must not throw. Default: the events are dropped. */
  readonly onCommit?: ((event: Row) => void) | undefined;
}

export interface PoolOptions extends DatabaseOptions {
  /** Milliseconds until a server that says nothing counts as lost. With it, connections are renewed. Default: TCP decides, in a quarter of an hour. */
  readonly silence?: number;
}

/**
 * A pool that connects when it is first used, and again when a connection is lost. `end()` waits five seconds at most. TLS: {@link
 * driverAddress}, or `PGSSL`. Errors hold no password. @throws {DatabaseUrlError}; when the file of `sslrootcert` can't be read
 */
export function connectDatabase(databaseUrl: string, options: DatabaseOptions): Sql {
  const { observer, onCommit, deadline, service } = options;
  const silence = service && (options.statementTimeout ?? STATEMENT_TIMEOUT[service]) + ANSWER_MS;
  const driver = openDriver(databaseUrl, { ...options, ...(silence && { silence }) });
  return watchedPool(driver, { observer, onCommit, deadline });
}

/** How much longer than a statement may run its answer may be under way. Then its server counts as lost. */
const ANSWER_MS = 2000;

/**
 * Seconds that a service's connection lives: the next one asks for the address again, and passes over a server that is read-only. So
 * a connection ends 6 seconds after a demotion or a move of the name, or with its statement. A new one takes 10 ms of CPU.
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
    max_pipeline: 0, // beside the one under way: an answer can't reach another statement
    max_lifetime: (silence ? lifetime : null) as number | null, // its types know no function
    onsocket: (socket: Socket) => {
      socket.setNoDelay();
      if (silence) endWhenSilent(socket, silence);
    },
    connection: { application_name: options.name },
    setup: setupStatement({ ...(statementTimeout && { statement_timeout: statementTimeout }), ...options.settings }),
  };
  return postgres(address.url, settings) as unknown as DriverPool;
}

/**
 * Destroys a connection on which nothing has moved for `silence` ms: its server is lost, or it was not needed. TCP's keepalive doesn't
 * help, as it waits while a statement is unacknowledged.
 */
export function endWhenSilent(socket: Socket, silence: number): void {
  socket.setTimeout(silence, () => {
    const before = socket.bytesRead;
    // Timers run before sockets are read: in a process that was busy, an answer that has arrived is read first.
    setImmediate(() => {
      if (socket.bytesRead === before) socket.destroy();
    });
  });
}

/** Settings are a statement, as a pooler refuses parameters of the connection that it doesn't know. */
function setupStatement(settings: Readonly<Record<string, string | number>>): string {
  const assignments = Object.entries(settings).map(([name, value]) => `SET ${name} = '${value}'`);
  return assignments.join("; ");
}

/** Without this list postgres.js asks each new connection for its array types, and an error of that ends the process. */
const ARRAY_TYPES = {
  textArray: { to: 1009, from: [1009, 1015], serialize: arrayLiteral, parse: parseTextArray },
  integerArray: { to: 1007, from: [], serialize: arrayLiteral, parse: String },
  bigintArray: { to: 1016, from: [], serialize: arrayLiteral, parse: String },
  timestamptzArray: { to: 1185, from: [], serialize: arrayLiteral, parse: String },
};

/** A string is sent as the document that it is. Without this, postgres.js makes a JSON string of it. */
const JSON_TYPES = Object.fromEntries(
  [114, 3802].map((oid) => {
    const serialize = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
    return [`json${oid}`, { to: oid, from: [oid], serialize, parse: JSON.parse }];
  }),
);

/** `{"a","b \"c\"",NULL}`; https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function arrayLiteral(values: unknown): string {
  if (!Array.isArray(values)) return String(values);
  const elements = values.map((value) => {
    if (value === null || value === undefined) return "NULL";
    const text = value instanceof Date ? value.toISOString() : String(value);
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
