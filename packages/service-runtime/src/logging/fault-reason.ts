import { isDefect } from "./defect.ts";

/**
 * Why an error that is no refusal happened, in one word for logs and metrics: `defect`, or which of the things that we depend on
 * failed, and how. `…_away`: it could not be reached or did not answer in time; `…_refused`: it answered with an error.
 */
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
const NOT_HERE = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|LOADING|READONLY) /;

const NO_CONNECTION =
  /^(?:Connection is closed|Stream isn't writeable|Command timed out|Cluster isn't ready|Cluster is ended|Too many Cluster redirections)/;
