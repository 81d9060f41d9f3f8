import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

/**
 * Adds libpq's `sslrootcert` to postgres.js: a PEM file of the root certificates that we trust, or `system`. With
 * `sslmode=verify-full` the server's certificate must name its host as well.
 * https://www.postgresql.org/docs/current/libpq-ssl.html
 * @returns what TLS needs to know; null when postgres.js itself reads what is asked for
 * @throws when the file can't be read
 */
export function takeTls(parameters: URLSearchParams): ConnectionOptions | null {
  const root = parameters.get("sslrootcert");
  if (root === null) return null;
  // postgres.js would pass it on to the server, which would refuse it.
  parameters.delete("sslrootcert");
  if (root === "system") parameters.set("sslmode", "verify-full");
  const mode = parameters.get("sslmode") ?? "prefer";
  if (root === "system" || mode === "disable") return null;
  const ca = readFileSync(root, "utf8");
  return mode === "verify-full" ? { ca } : { ca, checkServerIdentity: () => undefined };
}
