import type { Sql } from "@partner-connect/database";
import { expect } from "vitest";

/** Resolves once an approval waits for a lock of another session: for the row of its connection, or in the statement with `words`. */
export async function approvalWaits(sql: Sql, words = "INSERT INTO oauth.connections"): Promise<void> {
  const isWaiting = async () => {
    // On a cluster it waits for the shop's node, which waits for the lock.
    const rows = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND wait_event_type IN ('Lock', 'Client') AND query LIKE ${`%${words}%`}`;
    return rows.length > 0;
  };
  await expect.poll(isWaiting, { timeout: 10_000, interval: 5 }).toBe(true);
}
