import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pRetry from "p-retry";
import { changeDatabaseUrl } from "../address/database-url.ts";
import type { Sql } from "../pool/sql.ts";

export async function setRolePassword(sql: Sql, role: string, password: string | undefined) {
  if (password === undefined) return;
  const verifier = scramVerifier(password);
  const [row] = await sql<{ statement: string }[]>`
    SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', ${role}::text, ${verifier}::text) AS statement`;
  await retryRoleChange(() => sql.unsafe(row?.statement ?? ""));
}

/** Iterations of the hash: the default of Postgres's `scram_iterations`. */
const ITERATIONS = 4096;

/**
 * The form in which Postgres stores a password, so that the password itself is not sent or logged:
 * `SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey` (RFC 5803). As in postgres.js, without
 * SASLprep, which changes only passwords beyond ASCII.
 */
export function scramVerifier(
  password: string,
  salt: Uint8Array = randomBytes(16),
  iterations = ITERATIONS,
): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const saltText = Buffer.from(salt).toString("base64");
  return `SCRAM-SHA-256$${iterations}:${saltText}$${storedKey}:${keyOf("Server Key").toString("base64")}`;
}

/** Retries a change of a role, which fails while a migration of another database alters the role. */
export async function retryRoleChange(change: () => PromiseLike<unknown>): Promise<void> {
  await pRetry(async () => void (await change()), {
    retries: 20,
    minTimeout: 10,
    maxTimeout: 200,
    randomize: true,
    shouldRetry: ({ error }) =>
      (error as { code?: unknown }).code === "23505" ||
      /tuple concurrently updated/.test(error.message),
  });
}

export const SERVICE_ROLES = [
  "authorization_server",
  "resource_server",
  "worker",
  "back_office",
] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/** New passwords of the services' roles. The password of a role that is left out stays as it is. */
export type RolePasswords = Readonly<Partial<Record<ServiceRole, string | undefined>>>;

/** The passwords of all roles, for development and tests. */
export function derivedRolePasswords(secret: string): RolePasswords {
  return Object.fromEntries(SERVICE_ROLES.map((role) => [role, derivedRolePassword(secret, role)]));
}

/** Derives a service role's password from the owner's, for development and tests. */
export function derivedRolePassword(secret: string, role: ServiceRole): string {
  return createHmac("sha256", secret).update(role).digest("base64url");
}

export function roleUrl(adminUrl: string, role: ServiceRole, password: string): string {
  return changeDatabaseUrl(adminUrl, { user: role, password });
}
