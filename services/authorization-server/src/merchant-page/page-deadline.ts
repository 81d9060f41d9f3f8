import { within } from "@partner-connect/database";

/** Milliseconds that a page waits for an answer of Postgres. */
const DEADLINE_MS = 2000;

/** The answer, unless Postgres takes longer. @throws {DatabaseDeadlineError} which is a fault */
export async function beforeDeadline<T>(answer: Promise<T>): Promise<T> {
  return await within(DEADLINE_MS, answer);
}
