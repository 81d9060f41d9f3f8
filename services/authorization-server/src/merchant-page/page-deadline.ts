import { within } from "@partner-connect/database";

/** Milliseconds that a page waits for an answer of Postgres. */
const DEADLINE_MS = 2000;

/** @throws {DatabaseDeadlineError} which is a fault, when Postgres takes longer */
export async function beforeDeadline<T>(answer: Promise<T>): Promise<T> {
  return await within(DEADLINE_MS, answer);
}
