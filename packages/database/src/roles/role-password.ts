import { createHmac } from "node:crypto";
import pRetry from "p-retry";
import { changeDatabaseUrl } from "../address/database-url.ts";
import type { Sql } from "../pool/sql.ts";
import { scramVerifier } from "./scram-verifier.ts";

export async function setRolePassword(sql: Sql, role: string, password: string | undefined) {
  if (password === undefined) return;
  const verifier = scramVerifier(password);
  const [row] = await sql<{ statement: string }[]>`
    SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', ${role}::text, ${verifier}::text) AS statement`;
  await retryRoles(() => sql.unsafe(row?.statement ?? ""));
}

/**
 * Retries changes of roles: Postgres refuses to alter a role that a migration of another database
 * is altering.
 */
export async function retryRoles(change: () => PromiseLike<unknown>): Promise<void> {
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

/** For development and tests: the passwords of all roles. */
export function derivedRolePasswords(secret: string): RolePasswords {
  return Object.fromEntries(SERVICE_ROLES.map((role) => [role, derivedRolePassword(secret, role)]));
}

/** For development and tests: derives a service role's password from the owner's. */
export function derivedRolePassword(secret: string, role: ServiceRole): string {
  return createHmac("sha256", secret).update(role).digest("base64url");
}

export function roleUrl(adminUrl: string, role: ServiceRole, password: string): string {
  return changeDatabaseUrl(adminUrl, { user: role, password });
}
