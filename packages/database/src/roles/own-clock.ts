import { requireNoProblem } from "./startup-check.ts";

/** The schema by which a sandbox's database tells another time, and the mark of a process that follows it (packages/sandbox). */
const SCHEMA = "sandbox_clock";
const MARK = Symbol.for("partner-connect.sandbox-clock");

type Statement = <Rows extends readonly object[]>(text: TemplateStringsArray, ...values: string[]) => PromiseLike<Rows>;

/**
 * Ends this process, with one line on stderr, unless it and its database tell the same time: the machine's, or both that of a
 * sandbox, whose clock is moved. Otherwise tokens would end early, and what has expired would live. While the database can't
 * be asked the process may start; it is asked until it answers.
 */
export async function requireOwnClock(sql: Statement): Promise<void> {
  await requireNoProblem(async () => {
    const [row] = await sql<{ moved: boolean }[]>`SELECT to_regnamespace(${SCHEMA}) IS NOT NULL AS moved`;
    return difference(row?.moved === true, MARK in globalThis);
  });
}

function difference(ofDatabase: boolean, ofProcess: boolean): string | null {
  if (ofDatabase === ofProcess) return null;
  return ofDatabase
    ? "DATABASE_URL is a sandbox's, whose clock is moved: only 'pnpm sandbox' can start a service on it"
    : "this process follows the clock of a sandbox, and DATABASE_URL is not a sandbox's";
}
