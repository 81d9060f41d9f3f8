import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sql } from "@partner-connect/database";
import { freePort } from "@partner-connect/local-stack";
import { Redis } from "ioredis";

/** Where the stores are reached by TLS, with a certificate that must name their host. */
export interface EncryptedStores {
  /** The PEM file of the certificate that is trusted. */
  readonly root: string;
  /** The database's URL with TLS. */
  postgres(url: string): string;
  readonly redis: string;
}

/** Lets the running Postgres and Redis take TLS too. */
export async function encryptStores(sql: Sql, redisUrl: string, folder: string): Promise<EncryptedStores> {
  const [root, key] = [join(folder, "root.crt"), join(folder, "server.key")];
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  await promisify(execFile)("openssl", [
    ...["req", "-x509", ...curve, "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", names],
    ...["-keyout", key, "-out", root],
  ]);
  // Postgres may run as another user, and copies them.
  await chmod(folder, 0o711);
  await chmod(key, 0o644);
  await sql.unsafe(`COPY (SELECT 1) TO PROGRAM 'umask 077; cp ${root} bench.crt; cp ${key} bench.key'`);
  await sql.unsafe("ALTER SYSTEM SET ssl_cert_file = 'bench.crt'");
  await sql.unsafe("ALTER SYSTEM SET ssl_key_file = 'bench.key'");
  await sql.unsafe("ALTER SYSTEM SET ssl = on");
  await sql`SELECT pg_reload_conf()`;

  const redis = new Redis(redisUrl);
  const port = await freePort();
  const settings = { "tls-cert-file": root, "tls-key-file": key, "tls-auth-clients": "no", "tls-port": String(port) };
  await redis.config("SET", ...Object.entries(settings).flat());
  redis.disconnect();

  const encrypted = new URL(redisUrl);
  encrypted.port = String(port);
  return {
    root,
    postgres: (url) => `${url}${url.includes("?") ? "&" : "?"}sslmode=verify-full&sslrootcert=${root}`,
    redis: encrypted.href.replace(/^redis:/, "rediss:"),
  };
}
