import { AssertionError } from "node:assert";

const DEFECTS = [
  TypeError,
  ReferenceError,
  RangeError,
  SyntaxError,
  URIError,
  EvalError,
  AssertionError,
];

/**
 * True for a mistake in our own code (500). Other errors are faults (503): stores and drivers have
 * too many kinds to list.
 */
export function isDefect(error: unknown): boolean {
  return DEFECTS.some((kind) => error instanceof kind);
}

/**
 * Why a request failed: `defect`, or the dependency with `…_away` (not reached, or timed out) or
 * `…_refused` (an error).
 */
export function faultReason(error: unknown): string {
  if (isDefect(error)) return "defect";
  const {
    name,
    code,
    message = "",
  } = (error ?? {}) as { name?: string; code?: unknown; message?: string };
  if (code === "KEYS_UNAVAILABLE") return "keys_unavailable";
  if (name === "PostgresError") return "postgres_refused";
  if (
    typeof code === "string" &&
    /^(?:DATABASE_DEADLINE|CONNECTION_\w+|CONNECT_TIMEOUT)$/.test(code)
  )
    return "postgres_away";
  if (name === "ReplyError") return NOT_HERE.test(message) ? "redis_away" : "redis_refused";
  if (name === "MaxRetriesPerRequestError" || NO_CONNECTION.test(message)) return "redis_away";
  return "fault";
}

/**
 * Errors of a Redis that works but doesn't serve the key now: it is on another node, migrating, or
 * still loading.
 */
const NOT_HERE = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|LOADING) |READONLY /;

const NO_CONNECTION =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Cluster isn't ready|Cluster is ended|Too many Cluster redirections)/;
