import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/** JSON logs, on stdout unless it is told where, one record a line. Names of fields are in snake_case, but for pino's own and `reqId`. */
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
        // No other field of an error: it may hold what failed, such as a query's parameters.
        err: (error: Error & { code?: unknown }) => ({
          type: error.name,
          error_code: error.code,
          message: error.message,
          stack: isOfNetwork(error) ? undefined : error.stack,
        }),
      },
    },
    destination,
  );
}

/** Writes records of the audit log as lines of the process's log, with `"audit": true`, whatever the level of the others. */
export function auditLog(logger: Logger): (record: object) => void {
  const audit = logger.child({ audit: true }, { level: "info" });
  return (record) => audit.info(record, "audit");
}

/** Something could not be reached, or the connection to it broke. Where in the code we noticed tells nobody anything. */
function isOfNetwork({ code }: { readonly code?: unknown }): boolean {
  return (
    typeof code === "string" && /^(?:E[A-Z]+|CONNECT\w+|UND_ERR_\w+|KEYS_UNAVAILABLE|DATABASE_DEADLINE)$/.test(code)
  );
}

/** What a record may have at its top, or as a header. */
const SECRETS = [
  ...["authorization", "cookie", "password", "code", "code_verifier", "refresh_token", "client_secret"],
  ...["headers.authorization", "headers.cookie", 'headers["set-cookie"]'],
];

/** Of a text in a record: what a caller presents may be as long as a request. Deeper in a record stands only what is ours. */
const MOST_CHARACTERS = 200;

function withShortTexts(record: Record<string, unknown>): Record<string, unknown> {
  let cut = record;
  for (const name in record) {
    const value = record[name];
    if (typeof value !== "string" || value.length <= MOST_CHARACTERS) continue;
    if (cut === record) cut = { ...record };
    cut[name] = `${value.slice(0, MOST_CHARACTERS)}… (${value.length} characters)`;
  }
  return cut;
}
