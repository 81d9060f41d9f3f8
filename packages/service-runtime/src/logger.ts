import { type Logger, pino, symbols } from "pino";

export type { Logger };

/** Wherever one of these stands in a log record, its value does not. */
const SECRETS = [
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
];

/**
 * JSON logs on stdout, one record a line. A request is logged by its route: a URL may hold codes, states and
 * sealed requests, and one that is no route's may hold anything.
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    redact: { paths: SECRETS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]), censor: "[redacted]" },
    serializers: {
      req: (request: LoggedRequest) => ({
        id: request.id,
        method: request.method,
        route: request.routeOptions?.url ?? "none",
        ip: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
      // An error's own fields may hold what it was about (a query's parameters); its kind, text and place are enough.
      err: (error: Error & { code?: unknown }) => ({
        type: error.name,
        error_code: error.code,
        message: error.message,
        stack: error.stack,
      }),
    },
  });
}

/**
 * The logger of one request, a UUID. As pino's `child` makes it, which would first look for secrets in the id: more work
 * than all else that a request asks of the logger.
 */
export function loggerOf(requestId: string, parent: Logger): Logger {
  const bindings = `${parent[symbols.chindingsSym as never]},"reqId":"${requestId}"`;
  return Object.create(parent, { [symbols.chindingsSym]: { value: bindings } }) as Logger;
}

interface LoggedRequest {
  readonly method: string;
  readonly ip?: string;
  readonly id?: unknown;
  readonly routeOptions?: { readonly url?: string | undefined };
}
