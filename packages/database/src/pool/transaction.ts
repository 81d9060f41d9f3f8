import pRetry from "p-retry";
import type { Queries, Sql, Transaction } from "./sql.ts";

/** Milliseconds. A transaction that begins again at once may take the lock before the session that has waited for it, and so meet the same deadlock. */
const AFTER_DEADLOCK_MS = 200;

/** As {@link Sql.begin}; within a transaction `work` is a part of it. After a deadlock `work` is repeated, unless it does anything beside its statements. */
export async function transaction<T>(
  sql: Queries,
  work: (tx: Transaction) => Promise<T>,
  { repeatable = true }: { readonly repeatable?: boolean } = {},
): Promise<T> {
  if (!isPool(sql)) return await work(sql as Transaction);
  return repeatable ? await repeatAfterDeadlock(() => sql.begin(work)) : await sql.begin(work);
}

const isPool = (sql: Queries): sql is Sql => "begin" in sql;

/** Does `work`, a whole transaction or statement, again some time after a deadlock, in which nothing of it was done. A second one is an error. */
export async function repeatAfterDeadlock<T>(work: () => PromiseLike<T>): Promise<T> {
  return await pRetry(async () => await work(), {
    retries: 1,
    minTimeout: AFTER_DEADLOCK_MS,
    shouldRetry: ({ error }) => (error as { code?: unknown }).code === "40P01",
  });
}
