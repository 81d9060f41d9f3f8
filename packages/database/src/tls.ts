import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

export interface DriverAddress {
  /** The URL without what postgres.js would pass on to the server, which doesn't know it. */
  readonly url: string;
  /** Absent where postgres.js finds by itself what is wanted: by `sslmode`, or `PGSSL` in the environment. */
  readonly ssl?: ConnectionOptions;
}

/**
 * `sslrootcert` of a database's URL, as libpq has it: a file of certificates in PEM that the server's must lead to, or
 * `system`. With `sslmode=verify-full` the server's certificate must name its host as well.
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
  // Without it Node takes an IP address for 'localhost'.
  const host = URL.parse(url)?.hostname;
  return { url, ssl: { ca, ...(host && { host }) } };
}
