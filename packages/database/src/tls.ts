import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

export interface DriverAddress {
  /** The URL without `sslrootcert`, which postgres.js would pass on to the server, which would refuse it. */
  readonly url: string;
  /** Absent when postgres.js itself reads what is asked for, from `sslmode` or from `PGSSL` in the environment. */
  readonly ssl?: ConnectionOptions;
}

/**
 * Adds libpq's `sslrootcert` to postgres.js: a PEM file of the root certificates that we trust, or `system`. With
 * `sslmode=verify-full` the server's certificate must name its host as well.
 * https://www.postgresql.org/docs/current/libpq-ssl.html
 * @throws when the file can't be read
 */
export function driverAddress(databaseUrl: string): DriverAddress {
  const [address = "", query] = databaseUrl.split("?");
  const parameters = new URLSearchParams(query);
  const root = parameters.get("sslrootcert");
  if (root === null) return { url: databaseUrl };
  parameters.delete("sslrootcert");
  if (root === "system") parameters.set("sslmode", "verify-full");
  const url = parameters.size > 0 ? `${address}?${parameters}` : address;
  const mode = parameters.get("sslmode") ?? "prefer";
  if (root === "system" || mode === "disable") return { url };
  const ca = readFileSync(root, "utf8");
  if (mode !== "verify-full") return { url, ssl: { ca, checkServerIdentity: () => undefined } };
  // Without a host, Node verifies an IP address as if it were 'localhost'.
  const host = URL.parse(url)?.hostname;
  return { url, ssl: { ca, ...(host && { host }) } };
}
