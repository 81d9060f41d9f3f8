import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { type Answer, answer } from "./answer.ts";
import { type Context, operatorActor } from "./context.ts";
import { findStack, type Stack } from "./stack.ts";

/** A command's statement takes longer only when it waits in vain for a lock. Imports lift the limit for themselves. */
const STATEMENT_TIMEOUT = 10_000;

/** A command that was stopped, or whose machine is gone, holds its locks no longer. */
const IDLE_IN_TRANSACTION = "60s";

export interface OpenStack extends Stack {
  readonly sql: Sql;
  /** Who runs the command. */
  readonly actor: Actor;
}

/** An {@link answer} of a command that works on the stack's database. `work` gets it before the operands and the options. */
export function onDatabase<Arguments extends unknown[]>(
  context: Context,
  work: (stack: OpenStack, ...given: Arguments) => Promise<Answer>,
) {
  return answer(context, (...given: Arguments) => withDatabase(context, (_, stack) => work(stack, ...given)));
}

/**
 * Runs `work` on the stack's database, and leaves no connection open.
 *
 * @param statementTimeout milliseconds; 0: none, for what reads whole tables
 * @throws {OperatorError} when nothing says which stack it is
 */
export async function withDatabase<T>(
  context: Context,
  work: (sql: Sql, stack: OpenStack) => Promise<T>,
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
    return await work(sql, { ...stack, sql, actor: operatorActor(context) });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
