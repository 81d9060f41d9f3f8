import { AssertionError } from "node:assert";

const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError, URIError, EvalError, AssertionError];

/**
 * Whether `error` is a mistake in our own code, which trying again doesn't repair: a 500. Everything else that is not
 * the caller's mistake is a fault of something that we depend on: a 503. The stores and their drivers have more kinds of
 * errors than any list (`NOPERM`, `MOVED`, `Command timed out`), so it is our own mistakes that are listed.
 */
export function isDefect(error: unknown): boolean {
  return DEFECTS.some((kind) => error instanceof kind);
}
