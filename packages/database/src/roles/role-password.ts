import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "../pool/sql.ts";

/** How often a role is altered when others alter it too. */
const TRIES = 20;

/**
 * Roles belong to the whole cluster, and no lock of ours does: Postgres refuses to alter one that a migration of another database
 * alters at the same moment. So it is a transaction of its own, as short as can be, and is tried again.
 */
export async function setPassword(sql: Sql, role: string, password: string | undefined): Promise<void> {
  if (password === undefined) return;
  const [row] = await sql<{ statement: string }[]>`
    SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', ${role}::text, ${password}::text) AS statement`;
  for (let tries = 1; ; tries++) {
    try {
      return void (await sql.unsafe(row?.statement ?? ""));
    } catch (error) {
      if (tries === TRIES || !/tuple concurrently updated/.test(String(error))) throw error;
      await pause(10 * tries * Math.random());
    }
  }
}
