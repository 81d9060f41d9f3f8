import type { Sql, Transaction } from "./sql.ts";

/**
 * As {@link Sql.begin}. `work` is done once more after a deadlock, from its beginning, unless it is not `repeatable`: if it does
 * anything beside its statements.
 */
export async function transaction<T>(
  sql: Sql,
  work: (tx: Transaction) => Promise<T>,
  { repeatable = true }: { readonly repeatable?: boolean } = {},
): Promise<T> {
  return repeatable ? await repeatAfterDeadlock(() => sql.begin(work)) : await sql.begin(work);
}

/**
 * Does `work`, a whole transaction or a single statement, and once more if Postgres ended it because it and others waited for each other. Nothing of it
 * was done then, and the others go on. A second deadlock is an error.
 */
export async function repeatAfterDeadlock<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "40P01") throw error;
    return await work();
  }
}
