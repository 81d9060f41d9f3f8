import type { TransactionSql } from "postgres";
import type { Sql } from "./connect.ts";

/**
 * Runs `work` in one transaction, which is committed when `work` resolves and rolled back when it rejects. When the
 * connection is lost, this rejects at once with a database fault, whatever `work` waits for. A statement after that, or after
 * the transaction's end, is refused and runs nowhere.
 */
export async function transaction<T>(sql: Sql, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return (await sql.begin(work)) as T;
}
