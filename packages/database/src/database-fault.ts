/**
 * SQLSTATE classes that say 'the database could not do it now', never 'the request was wrong':
 * 08 connection, 53 out of resources, 57 operator intervention (shutdown, statement timeout), 58 system error,
 * 25006 a read-only standby, 55P03 another session's lock. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const FAULT_STATES = /^(?:08|53|57|58)...$|^(?:25006|55P03)$/;

const FAULT_CODES = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "DATABASE_DEADLINE",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Whether `error` means that Postgres is away, busy or refusing work: a 503, never a refusal of the caller. */
export function isDatabaseFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && (FAULT_CODES.has(code) || FAULT_STATES.test(code));
}
