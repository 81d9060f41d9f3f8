import pRetry from "p-retry";
import type { Queries, Sql, Transaction } from "./sql.ts";

/**
 * Milliseconds before a retry. A transaction that restarts immediately may take the lock before the
 * session that waited for it, and deadlock again.
 */
const AFTER_DEADLOCK_MS = 200;

/**
 * Like {@link Sql.begin}; if `sql` is a transaction, `work` joins it. After a deadlock `work` is
 * repeated once, so it must have no side effects besides its statements.
 */
export async function transaction<T>(
  sql: Queries,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!isPool(sql)) return await work(sql as Transaction);
  return await pRetry(async () => await sql.begin(work), {
    retries: 1,
    minTimeout: AFTER_DEADLOCK_MS,
    shouldRetry: ({ error }) => (error as { code?: unknown }).code === "40P01",
  });
}

const isPool = (sql: Queries): sql is Sql => "begin" in sql;
