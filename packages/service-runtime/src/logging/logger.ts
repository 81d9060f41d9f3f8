import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/**
 * JSON logs, one record per line, on stdout by default. Field names are snake_case, except pino's
 * own and `reqId`.
 */
export function createLogger(
  name: string,
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger {
  return pino(
    {
      name,
      level,
      formatters: { log: withShortTexts },
      redact: { paths: SECRETS, censor: "[redacted]" },
      serializers: {
        // No other fields of an error: they may contain data, such as a query's parameters.
        err: (error: Error & { code?: unknown }) => ({
          type: error.name,
          error_code: error.code,
          message: error.message,
          stack: isNetworkError(error) ? undefined : error.stack,
        }),
      },
    },
    destination,
  );
}

/** Writes audit records to the log with `"audit": true`, regardless of the level. */
export function auditLog(logger: Logger): (record: object) => void {
  const audit = logger.child({ audit: true }, { level: "info" });
  return (record) => audit.info(record, "audit");
}

/** Network errors, whose stack trace is useless. */
function isNetworkError({ code }: { readonly code?: unknown }): boolean {
  return (
    typeof code === "string" &&
    /^(?:E[A-Z]+|CONNECT\w+|UND_ERR_\w+|KEYS_UNAVAILABLE|DATABASE_DEADLINE)$/.test(code)
  );
}

/** Redacted fields at a record's top level or in its headers. */
const SECRETS = [
  ...[
    "authorization",
    "cookie",
    "password",
    "code",
    "code_verifier",
    "refresh_token",
    "client_secret",
  ],
  ...["headers.authorization", "headers.cookie", 'headers["set-cookie"]'],
];

/** Limit of each text at a record's top level. What a caller sends may be as long as a request. */
const MOST_CHARACTERS = 200;

function withShortTexts(record: Record<string, unknown>): Record<string, unknown> {
  const isLong = (value: unknown): value is string =>
    typeof value === "string" && value.length > MOST_CHARACTERS;
  const shown = (value: unknown): unknown =>
    isLong(value) ? `${value.slice(0, MOST_CHARACTERS)}… (${value.length} characters)` : value;
  if (!Object.values(record).some(isLong)) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, shown(value)]));
}
