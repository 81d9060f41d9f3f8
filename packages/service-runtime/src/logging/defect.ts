import { AssertionError } from "node:assert";

const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError, URIError, EvalError, AssertionError];

/**
 * Whether `error` is a defect: a mistake in our own code, which trying again doesn't repair (500). `assert` says what can't be
 * unless there is one. Any other error that is not the caller's is a fault: something that we depend on is away or broken (503).
 * The list names defects, because faults can't be listed: stores and their drivers have too many kinds of errors (`NOPERM`,
 * `MOVED`, `Command timed out`).
 */
export function isDefect(error: unknown): boolean {
  return DEFECTS.some((kind) => error instanceof kind);
}
