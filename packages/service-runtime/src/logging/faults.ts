import { AssertionError } from "node:assert";

const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError, URIError, EvalError, AssertionError];

/**
 * Whether `error` is a mistake in our own code (500). Every other that is not the caller's is a fault, of something that we depend
 * on (503): those can't be listed, as stores and drivers have too many kinds.
 */
export function isDefect(error: unknown): boolean {
  return DEFECTS.some((kind) => error instanceof kind);
}

/** Why a request failed, in a word: `defect`, or what failed. `…_away`: not reached, or no answer in time; `…_refused`: an error. */
export function faultReason(error: unknown): string {
  if (isDefect(error)) return "defect";
  const { name, code, message = "" } = (error ?? {}) as { name?: string; code?: unknown; message?: string };
  if (code === "KEYS_UNAVAILABLE") return "keys_unavailable";
  if (name === "PostgresError") return "postgres_refused";
  if (typeof code === "string" && /^(?:DATABASE_DEADLINE|CONNECTION_\w+|CONNECT_TIMEOUT)$/.test(code))
    return "postgres_away";
  if (name === "ReplyError") return NOT_HERE.test(message) ? "redis_away" : "redis_refused";
  if (name === "MaxRetriesPerRequestError" || name === "NoServer" || NO_CONNECTION.test(message)) return "redis_away";
  return "fault";
}

/** A server that answers, and none that has the key: it is another one's, nobody's, on its way, or still read from the disk. */
const NOT_HERE = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|LOADING) |READONLY /;

const NO_CONNECTION =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Cluster isn't ready|Cluster is ended|Too many Cluster redirections)/;
