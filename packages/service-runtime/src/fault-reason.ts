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
  if (name === "ReplyError") return "redis_refused";
  if (
    name === "MaxRetriesPerRequestError" ||
    /^Connection is closed|^Stream isn't writeable|^Command timed out/.test(message)
  ) {
    return "redis_away";
  }
  return "fault";
}
