/**
 * SQLSTATEs that mean 'the database can't do it now', never 'the request is wrong'. Classes: 08 connection, 28 and 3D it
 * doesn't let us in, 40 deadlock, 53 out of resources, 55 not in the required state, 57 operator intervention (shutdown,
 * statement timeout), 58 system error, XX internal error. 25006: a read-only standby. 25P03, 25P04: the transaction was idle or open for too long. The other codes: the schema has
 * changed since a statement was prepared, or the server has lost the statement; the next attempt prepares it again.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const FAULT_STATES = /^(?:08|28|3D|40|53|55|57|58|XX)...$|^(?:0A000|25006|25P0[34]|26000|34000|42P05|42804|42883)$/;

/** Node's codes for a certificate that it refuses, and for a server that doesn't speak TLS. */
const TLS_CODES = /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)|^EPROTO$/;

const FAULT_CODES = new Set(
  `CONNECT_TIMEOUT CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED DATABASE_DEADLINE UNSUITABLE_HOST
  EADDRNOTAVAIL EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH EMFILE ENETDOWN ENETUNREACH
  ENFILE ENOBUFS ENOENT ENOTFOUND EPIPE ETIMEDOUT`.split(/\s+/),
);

/** Whether `error` means that Postgres is away, busy or refusing work: a 503, never a refusal of the caller. */
export function isDatabaseFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && (FAULT_CODES.has(code) || FAULT_STATES.test(code) || TLS_CODES.test(code));
}

/** Whether a server answered that it, or another node of its cluster, is away. What lies on other nodes can be asked for. */
export function isFaultOfANode(error: unknown): boolean {
  return error instanceof Error && error.name === "PostgresError" && /^(?:08|57P0)/.test(String(Object(error).code));
}

/** A query was not answered in time: it waited for a connection or for its rows. */
class DatabaseDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";
}

/** Calls `late` with a fault unless it is stopped before. The statement itself ends by statement_timeout. */
export function startDeadline(milliseconds: number, late: (fault: Error) => void): { stop(): void } {
  const end = () => late(new DatabaseDeadlineError(`no answer from Postgres within ${milliseconds} ms`));
  // Timers run before sockets are read: in a process that was busy, an answer that has arrived is read first.
  const timer = setTimeout(() => (immediate = setImmediate(end)), milliseconds);
  let immediate: NodeJS.Immediate | undefined;
  return {
    stop() {
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
}
