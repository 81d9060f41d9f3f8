import type { Sql } from "@partner-connect/database";
import type { Context } from "./context.ts";
import { findStack, type Stack } from "./stack.ts";

/** A command's statement takes longer only when it waits in vain for a lock. Imports lift the limit for themselves. */
const STATEMENT_TIMEOUT = 10_000;

/** A command that was stopped, or whose machine is gone, holds its locks no longer. */
const IDLE_IN_TRANSACTION = "60s";

/**
 * Runs `work` on the stack's database, and leaves no connection open.
 *
 * @param statementTimeout milliseconds; 0: none, for what reads whole tables
 */
export async function withDatabase<T>(
  context: Context,
  work: (sql: Sql, stack: Stack) => Promise<T>,
  { statementTimeout = STATEMENT_TIMEOUT }: { readonly statementTimeout?: number } = {},
): Promise<T> {
  const stack = await findStack(context.config);
  const { connectDatabase } = await import("@partner-connect/database");
  const sql = connectDatabase(stack.databaseUrl, {
    name: "partner-connect",
    connections: 1,
    statementTimeout,
    settings: { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION },
  });
  try {
    return await work(sql, stack);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
