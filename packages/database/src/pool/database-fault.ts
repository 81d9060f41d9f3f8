/**
 * SQLSTATEs of faults, as opposed to refused requests. Classes: 08 connection, 28 and 3D
 * authentication and database, 40 deadlock, 53 out of resources, 55 wrong state, 57 shutdown or
 * statement timeout, 58 system error, XX internal error. 25006: read-only standby. 25P03, 25P04:
 * transaction timeouts. The others: the schema changed since the statement was prepared, or the
 * server lost the statement; the next attempt prepares it again.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const FAULT_STATE =
  /^(?:08|28|3D|40|53|55|57|58|XX)...$|^(?:0A000|25006|25P0[34]|26000|34000|42P05|42804|42883)$/;

/** Node's codes for a refused certificate, and for a server without TLS. */
const TLS_CODE =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)|^EPROTO$/;

const FAULT_CODES = new Set(
  `CONNECT_TIMEOUT CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED DATABASE_DEADLINE UNSUITABLE_HOST
  EADDRNOTAVAIL EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH EMFILE ENETDOWN ENETUNREACH
  ENFILE ENOBUFS ENOENT ENOTFOUND EPIPE ETIMEDOUT`.split(/\s+/),
);

/** True if Postgres is down, busy or refuses work, which is a 503 and not the caller's error. */
export function isDatabaseFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    typeof code === "string" &&
    (FAULT_CODES.has(code) || FAULT_STATE.test(code) || TLS_CODE.test(code))
  );
}

/**
 * True if a server reported that it, or another node of its cluster, is down. Rows on other nodes
 * can still be read.
 */
export function isFaultOfANode(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "PostgresError" &&
    /^(?:08|57P0)/.test(String(Object(error).code))
  );
}

/** A query got no connection or no answer in time. */
class DatabaseDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";
}

/**
 * Calls `late` with a fault after these milliseconds, unless stopped. It doesn't cancel the
 * statement; statement_timeout does.
 */
export function startDeadline(milliseconds: number, late: (fault: Error) => void) {
  const end = () =>
    late(new DatabaseDeadlineError(`no answer from Postgres within ${milliseconds} ms`));
  // In a busy process the timer may run before an answer that has arrived is read.
  const timer = setTimeout(() => (immediate = setImmediate(end)), milliseconds);
  let immediate: NodeJS.Immediate | undefined;
  return {
    stop() {
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
}
