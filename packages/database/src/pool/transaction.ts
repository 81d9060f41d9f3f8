import type { TransactionSql } from "postgres";
import { repeatAfterDeadlock } from "./after-deadlock.ts";
import type { Sql } from "./connect.ts";

/**
 * Runs `work` in one transaction, which is committed when `work` resolves and rolled back when it rejects. When the
 * connection is lost, this rejects at once with a database fault, whatever `work` waits for. A statement after that, or after
 * the transaction's end, is refused and runs nowhere.
 *
 * `work` is done once more after a deadlock, from its beginning, unless it is not `repeatable`: if it does anything beside its statements.
 */
export async function transaction<T>(
  sql: Sql,
  work: (sql: TransactionSql) => Promise<T>,
  { repeatable = true }: { readonly repeatable?: boolean } = {},
): Promise<T> {
  const begin = async () => (await sql.begin(work)) as T;
  return repeatable ? await repeatAfterDeadlock(begin) : await begin();
}
