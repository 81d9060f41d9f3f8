import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import {
  DatabaseUrlError,
  formatDatabaseUrl,
  type Host,
  parseDatabaseUrl,
} from "./database-url.ts";

/** Connect timeout in seconds for a single host. */
const CONNECT_SECONDS = 2;
/** Connect timeout in seconds per host if there are several. */
const EACH_CONNECT_SECONDS = 1;

/**
 * Converts `databaseUrl` to postgres.js's options. Unless `standby`, it connects only to a writable
 * host (`target_session_attrs`: `read-write` or `primary`), because a standby may not have a
 * revocation yet. `load_balance_hosts=random` shuffles the hosts. @throws {DatabaseUrlError}
 */
export function driverAddress(
  databaseUrl: string,
  { standby = false }: { readonly standby?: boolean } = {},
) {
  const address = parseDatabaseUrl(databaseUrl);
  const { hosts, parameters } = address;
  const wanted = parameters.get("target_session_attrs") ?? "read-write";
  if (wanted !== "read-write" && wanted !== "primary") {
    throw new DatabaseUrlError(
      `target_session_attrs of DATABASE_URL must be read-write or primary, as we write: ${wanted}`,
    );
  }
  parameters.delete("target_session_attrs");
  removeIgnoredParameters(parameters);
  const isBalanced = takeLoadBalance(parameters);
  const ssl = takeTls(parameters);
  const [first] = hosts;
  return {
    url: formatDatabaseUrl({ ...address, hosts: first ? [first] : [] }),
    options: {
      ...(first && hostLists(hosts)),
      ...(address.database && { database: address.database }),
      ...(!standby && { target_session_attrs: wanted as "read-write" | "primary" }),
      ...(isBalanced && { load_balance_hosts: "random" as const }),
      connect_timeout: hosts.length > 1 ? EACH_CONNECT_SECONDS : CONNECT_SECONDS,
      // Without `ssl` postgres.js reads `sslmode`, or `PGSSL` from the environment.
      ...(ssl && { ssl }),
    },
  };
}

/**
 * Parameters of libpq and Prisma that providers put into URLs, and that we ignore because we set
 * our own value or need none.
 */
const IGNORED = new Set(
  `application_name fallback_application_name client_encoding connect_timeout keepalives keepalives_idle keepalives_interval
  keepalives_count tcp_user_timeout gsslib gssdelegation krbsrvname sslcompression sslsni sslcertmode sslkeylogfile
  min_protocol_version max_protocol_version schema pgbouncer connection_limit pool_timeout socket_timeout statement_cache_size
  supa uselibpqcompat`.split(/\s+/),
);

/** Supported parameters. `options` is sent to the server; at some providers it has the database. */
const OBEYED = new Set("sslmode sslrootcert sslnegotiation load_balance_hosts options".split(" "));

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

const LEAVE_OUT = "is not supported: leave it out";
const BY_PASSWORD = `${LEAVE_OUT}, and use a password`;
const BY_PROXY = `${LEAVE_OUT}, or check certificates in a proxy such as PgBouncer`;
const ON_SERVER = `${LEAVE_OUT}, and set it on the server`;

/** Parameters that can't be ignored safely, each with the remedy to print and harmless values. */
const REFUSED = new Map<string, readonly [remedy: string, ...harmless: string[]]>([
  [
    "channel_binding",
    ["is possible only with sslmode=verify-full: add that, or leave it out", "disable", "prefer"],
  ],
  ["gssencmode", [`${LEAVE_OUT}, and use sslmode=verify-full`, "disable", "prefer"]],
  [
    "require_auth",
    [`${LEAVE_OUT}, and use sslmode=verify-full, by which only your server gets the password`],
  ],
  ["requirepeer", [LEAVE_OUT]],
  ["ssl", ["is not supported: use sslmode"]],
  ["sslaccept", ["is not supported: use sslmode"]],
  ["sslcert", [BY_PASSWORD]],
  ["sslkey", [BY_PASSWORD]],
  ["sslpassword", [BY_PASSWORD]],
  ["sslidentity", [BY_PASSWORD]],
  ["sslcrl", [BY_PROXY]],
  ["sslcrldir", [BY_PROXY]],
  ["ssl_min_protocol_version", [ON_SERVER, "TLSv1", "TLSv1.1", "TLSv1.2"]], // Node's minimum is 1.2
  ["ssl_max_protocol_version", [ON_SERVER]],
]);

/**
 * Removes ignored and harmless parameters. @throws {DatabaseUrlError} that names an unsupported
 * parameter without its value, which may be secret
 */
function removeIgnoredParameters(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  const isVerified = mode === "verify-full" || parameters.get("sslrootcert") === "system";
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new DatabaseUrlError(`sslmode of DATABASE_URL must be one of ${SSL_MODES.join(", ")}`);
  }
  for (const [name, value] of [...parameters]) {
    if (OBEYED.has(name)) continue;
    const [remedy, ...harmless] = REFUSED.get(name) ?? ["is not known: leave it out"];
    const isMet = harmless.includes(value) || (name === "channel_binding" && isVerified);
    if (!IGNORED.has(name) && !isMet)
      throw new DatabaseUrlError(`${name} of DATABASE_URL ${remedy}`);
    parameters.delete(name);
  }
}

/**
 * Removes `load_balance_hosts`, and returns true if it is `random`.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-LOAD-BALANCE-HOSTS
 */
function takeLoadBalance(parameters: URLSearchParams): boolean {
  const wanted = parameters.get("load_balance_hosts") ?? "disable";
  if (wanted !== "disable" && wanted !== "random") {
    throw new DatabaseUrlError(
      `load_balance_hosts of DATABASE_URL must be disable or random: ${wanted}`,
    );
  }
  parameters.delete("load_balance_hosts");
  return wanted === "random";
}

/** The hosts and ports as lists, which postgres.js accepts contrary to its types. */
function hostLists(hosts: readonly Host[]): { host: string; port: number } {
  const places = { host: hosts.map(({ host }) => host), port: hosts.map(({ port }) => port) };
  return places as unknown as { host: string; port: number };
}

/**
 * Removes `sslrootcert`, and returns the TLS options for its PEM file. Null if there is none, or if
 * `sslmode` is enough, as for `system`. @throws if the file can't be read
 */
function takeTls(parameters: URLSearchParams): ConnectionOptions | null {
  const root = parameters.get("sslrootcert");
  if (root === null) return null;
  // postgres.js would send this parameter to the server, which would refuse it.
  parameters.delete("sslrootcert");
  if (root === "system") parameters.set("sslmode", "verify-full");
  const mode = parameters.get("sslmode") ?? "prefer";
  if (root === "system" || mode === "disable") return null;
  const ca = readFileSync(root, "utf8");
  return mode === "verify-full" ? { ca } : { ca, checkServerIdentity: () => undefined };
}
