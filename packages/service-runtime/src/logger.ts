import { type Logger, pino } from "pino";

export type { Logger };

/** The value of a field with one of these names is never logged, down to the third level of a record. */
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
 * JSON logs on stdout, one record a line. A request is logged by its route, never by its URL: that may hold codes, states
 * and sealed requests, and anything at all where it belongs to no route.
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
      // No other field of an error: it may hold what failed, such as a query's parameters.
      err: (error: Error & { code?: unknown }) => ({
        type: error.name,
        error_code: error.code,
        message: error.message,
        stack: error.stack,
      }),
    },
  });
}

interface LoggedRequest {
  readonly method: string;
  readonly ip?: string;
  readonly id?: unknown;
  readonly routeOptions?: { readonly url?: string | undefined };
}
