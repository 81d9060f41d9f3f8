import pRetry from "p-retry";
import type { Queries, Sql, Transaction } from "./sql.ts";

/** Milliseconds. A transaction that restarts immediately may take the lock before the session that waited for it, and deadlock again. */
const AFTER_DEADLOCK_MS = 200;

/** Like {@link Sql.begin}; within a transaction `work` joins it. Repeats `work` after a deadlock, so it must have no other side effects. */
export async function transaction<T>(sql: Queries, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return isPool(sql) ? await repeatAfterDeadlock(() => sql.begin(work)) : await work(sql as Transaction);
}

const isPool = (sql: Queries): sql is Sql => "begin" in sql;

/** Repeats `work`, a whole transaction or statement, once after a deadlock, which rolled it back. */
export async function repeatAfterDeadlock<T>(work: () => PromiseLike<T>): Promise<T> {
  return await pRetry(async () => await work(), {
    retries: 1,
    minTimeout: AFTER_DEADLOCK_MS,
    shouldRetry: ({ error }) => (error as { code?: unknown }).code === "40P01",
  });
}
