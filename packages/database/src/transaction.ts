import type { TransactionSql } from "postgres";
import type { Sql } from "./connect.ts";

/**
 * `work` in one transaction: committed when it resolves, rolled back when it rejects. To be used in place of
 * `sql.begin`, which after the loss of its connection still sends a ROLLBACK into the void: postgres.js 3.4 then throws
 * outside of any promise, and the connection that it opens next never becomes ready. Here the loss rejects, and the
 * pool goes on.
 */
export async function transaction<T>(sql: Sql, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return (await sql.begin(async (transaction) => {
    try {
      return await work(transaction);
    } catch (error) {
      if (LOST.has(String((error as { code?: unknown } | null)?.code))) await untilClosed();
      throw error;
    }
  })) as T;
}

/** What statements are rejected with when their connection has gone; the socket's close event follows. */
const LOST = new Set(["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** Never settles: `begin` itself rejects at the close event, and sends no ROLLBACK as long as its work is not over. */
function untilClosed(): Promise<never> {
  return new Promise(() => {});
}
