import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { changeDatabaseUrl } from "../address/database-url.ts";
import type { Sql } from "../pool/sql.ts";
import { scramVerifier } from "./scram-verifier.ts";

const TRIES = 20;

/** No lock of ours covers roles, which belong to the cluster: Postgres refuses to alter one that another migration alters just now. */
export async function setPassword(sql: Sql, role: string, password: string | undefined): Promise<void> {
  if (password === undefined) return;
  const verifier = scramVerifier(password);
  const [row] = await sql<{ statement: string }[]>`
    SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', ${role}::text, ${verifier}::text) AS statement`;
  for (let tries = 1; ; tries++) {
    try {
      return void (await sql.unsafe(row?.statement ?? ""));
    } catch (error) {
      if (tries === TRIES || !/tuple concurrently updated/.test(String(error))) throw error;
      await pause(10 * tries * Math.random());
    }
  }
}

export type ServiceRole = "authorization_server" | "resource_server" | "notifier";

/** For development and tests: a password of a service's role, derived from the owner's, so that its knower finds the same. */
export function derivedRolePassword(secret: string, role: ServiceRole): string {
  return createHmac("sha256", secret).update(role).digest("base64url");
}

export function roleUrl(adminUrl: string, role: ServiceRole, password: string): string {
  return changeDatabaseUrl(adminUrl, { user: role, password });
}
