import type { TransactionSql } from "postgres";
import type { Sql } from "./connect.ts";

/**
 * `work` in one transaction: committed when it resolves, rolled back when it rejects. When the connection is lost, it
 * rejects at once with a database fault, whatever `work` waits for; what `work` asks after that, or after the end, is
 * refused and runs nowhere.
 */
export async function transaction<T>(sql: Sql, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return (await sql.begin(work)) as T;
}
