import { repeatAfterDeadlock } from "./after-deadlock.ts";
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
