import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { type Printable, print, say, sayJson, screenOf } from "../terminal/screen.ts";
import { fields } from "../terminal/table.ts";
import { type CommitWatch, watchCommits } from "./commit-watch.ts";
import { type Context, FailedAnswer, type Output, operatorActor } from "./context.ts";
import { findStack, type Stack } from "./stack.ts";

export interface Answer {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  readonly text: Printable;
  /** The command has written its output itself. Default: no. */
  readonly isWritten?: boolean;
  /** What the operator should know in either case; printed on stderr. */
  readonly note?: string | undefined;
  /** Whether it is a failure: exit code 1. Default: no. */
  readonly isFailure?: boolean;
}

interface GlobalOptions {
  readonly json?: boolean;
  readonly wide?: boolean;
}

/** A commander action that prints what `work` returns. @throws {FailedAnswer} after an answer that is a failure */
export function answer<Arguments extends unknown[]>(
  context: Context,
  work: (...given: Arguments) => Promise<Answer>,
): (this: Command, ...given: Arguments) => Promise<void> {
  return async function show(...given) {
    const { json, text, note, isWritten = false, isFailure = false } = await work(...given);
    const { stdout, stderr } = context.terminal;
    if (note) say(stderr, note);
    const options = this.optsWithGlobals<GlobalOptions>();
    const screen = screenOf(context.config, stdout, options.wide);
    if (!isWritten && options.json) sayJson(stdout, json);
    else if (!isWritten) say(stdout, print(text, screen), screen.colour);
    if (isFailure) throw new FailedAnswer();
  };
}

interface NewCredential {
  readonly sentence: string;
  /** The credential, with the fields that belong to it. */
  readonly shown: readonly (readonly [name: string, value: string])[];
  readonly json: unknown;
  readonly next: string;
}

/** The answer that shows a client's secret or an API key, for the only time: the database doesn't have it. */
export function secretShownOnce({ sentence, shown, json, next }: NewCredential): Answer {
  return {
    json,
    text: `${sentence}\n\n${fields(shown)}\n\n${next} now: it is never shown again.`,
  };
}

/** A command's statement takes longer only when it waits in vain for a lock. Imports lift the limit for themselves. */
const STATEMENT_TIMEOUT = 10_000;

/** A command that was stopped, or whose machine is gone, holds its locks no longer. */
const IDLE_IN_TRANSACTION = "60s";

export interface OpenStack extends Stack {
  readonly sql: Sql;
  readonly actor: Actor;
}

/** An {@link answer} of a command that works on the stack's database. `work` gets it before the operands and the options. */
export function onDatabase<Arguments extends unknown[]>(
  context: Context,
  work: (stack: OpenStack, ...given: Arguments) => Promise<Answer>,
  options?: DatabaseOptions,
) {
  return answer(context, (...given: Arguments) => withDatabase(context, (_, stack) => work(stack, ...given), options));
}

interface DatabaseOptions {
  /** Milliseconds; 0: none. */
  readonly statementTimeout?: number;
}

/**
 * Runs `work` on the stack's database, and closes it.
 * @throws {OperatorError} without a stack
 */
export async function withDatabase<T>(
  context: Context,
  work: (sql: Sql, stack: OpenStack) => Promise<T>,
  { statementTimeout = STATEMENT_TIMEOUT }: DatabaseOptions = {},
): Promise<T> {
  const stack = await findStack(context.config);
  const { connectDatabase } = await import("@partner-connect/database");
  const sql = connectDatabase(stack.databaseUrl, {
    name: "partner-connect",
    connections: 1,
    statementTimeout,
    settings: { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION },
    onCommit: (record) => sayAudit(context.terminal.stderr, record),
  });
  let commits: CommitWatch | undefined;
  try {
    const [session] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const connect = () => connectDatabase(stack.databaseUrl, { name: "partner-connect watch", connections: 1 });
    if (session) commits = watchCommits(connect, session.pid);
    return await work(sql, { ...stack, sql, actor: operatorActor(context) });
  } finally {
    if (await commits?.stop()) say(context.terminal.stderr, UNCONFIRMED);
    await sql.end({ timeout: 1 });
  }
}

/** On a terminal it takes the place of a line of progress. */
function sayAudit(stderr: Output, record: object): void {
  if (stderr.isTTY) stderr.write("\r\x1b[K");
  sayJson(stderr, { audit: true, ...record });
}

const UNCONFIRMED =
  "partner-connect: what was written is on this Postgres alone, as no synchronous standby has confirmed it; if this server is lost, so is that; 'partner-connect doctor' says what to do";
