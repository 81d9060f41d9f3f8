import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { DatabaseUrlError, formatDatabaseUrl, type Host, parseDatabaseUrl } from "./database-url.ts";

const CONNECT_SECONDS = 2;
/** For each of several hosts. */
const EACH_CONNECT_SECONDS = 1;

/**
 * Converts `databaseUrl` to postgres.js's options. Unless `standby`, it connects only to a writable host (`target_session_attrs`:
 * `read-write` or `primary`), because a standby may not have a revocation yet. `load_balance_hosts=random` shuffles the hosts. @throws
 * {DatabaseUrlError}
 */
export function driverAddress(databaseUrl: string, { standby = false }: { readonly standby?: boolean } = {}) {
  const address = parseDatabaseUrl(databaseUrl);
  const { hosts, parameters } = address;
  const wanted = parameters.get("target_session_attrs") ?? "read-write";
  if (wanted !== "read-write" && wanted !== "primary") {
    throw new DatabaseUrlError(
      `target_session_attrs of DATABASE_URL must be read-write or primary, as we write: ${wanted}`,
    );
  }
  parameters.delete("target_session_attrs");
  const isBalanced = takeBalance(parameters);
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
      // Without it postgres.js reads `sslmode`, or `PGSSL` from the environment.
      ...(ssl && { ssl }),
    },
  };
}

/** Names as in libpq: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-LOAD-BALANCE-HOSTS */
function takeBalance(parameters: URLSearchParams): boolean {
  const wanted = parameters.get("load_balance_hosts") ?? "disable";
  if (wanted !== "disable" && wanted !== "random") {
    throw new DatabaseUrlError(`load_balance_hosts of DATABASE_URL must be disable or random: ${wanted}`);
  }
  parameters.delete("load_balance_hosts");
  return wanted === "random";
}

/** postgres.js accepts lists, contrary to its types. */
function hostLists(hosts: readonly Host[]): { host: string; port: number } {
  const places = { host: hosts.map(({ host }) => host), port: hosts.map(({ port }) => port) };
  return places as unknown as { host: string; port: number };
}

/** Adds libpq's `sslrootcert`, a PEM file or `system`. Null if postgres.js needs no help. @throws if the file can't be read */
function takeTls(parameters: URLSearchParams): ConnectionOptions | null {
  const root = parameters.get("sslrootcert");
  if (root === null) return null;
  // postgres.js would send it to the server, which would refuse it.
  parameters.delete("sslrootcert");
  if (root === "system") parameters.set("sslmode", "verify-full");
  const mode = parameters.get("sslmode") ?? "prefer";
  if (root === "system" || mode === "disable") return null;
  const ca = readFileSync(root, "utf8");
  return mode === "verify-full" ? { ca } : { ca, checkServerIdentity: () => undefined };
}
