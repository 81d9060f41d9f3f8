import { type DestinationStream, type Logger, pino } from "pino";
import type { EnvironmentSummary } from "../environment/environment.ts";

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
      formatters: { log: (record) => loggedRecord(record) },
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

/** One record of what is set, without passwords, and a warning for each variable that looks like ours and that nobody reads. */
export function logConfiguration(logger: Logger, { set, defaults, unknown }: EnvironmentSummary): void {
  logger.info({ set, defaults }, "configuration");
  for (const { name, nearest } of unknown) {
    logger.warn({ variable: name, nearest }, "a variable that nothing reads: is its name right?");
  }
}

/** The value of a field with one of these names is never logged, down to the third level of a record. A list is a level too. */
const SECRETS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
]);

/** Of a text in a record: what a caller presents may be as long as a request. Deeper in a record stands only what is ours. */
const MOST_CHARACTERS = 200;

function loggedRecord(record: Record<string, unknown>): Record<string, unknown> {
  let cut = withoutSecrets(record);
  for (const name in cut) {
    const value = cut[name];
    if (typeof value !== "string" || value.length <= MOST_CHARACTERS) continue;
    if (cut === record) cut = { ...record };
    cut[name] = `${value.slice(0, MOST_CHARACTERS)}… (${value.length} characters)`;
  }
  return cut;
}

/** By hand, as pino's redaction takes twenty times as long as the rest of a record. An error is left to its serializer. */
function withoutSecrets(record: Record<string, unknown>, levels = 3): Record<string, unknown> {
  let masked = record;
  for (const name in record) {
    const value = record[name];
    const kept = SECRETS.has(name) ? "[redacted]" : inside(value, levels - 1);
    if (kept === value) continue;
    if (masked === record) masked = { ...record };
    masked[name] = kept;
  }
  return masked;
}

function inside(value: unknown, levels: number): unknown {
  if (levels === 0 || typeof value !== "object" || value === null || value instanceof Error) return value;
  if (!Array.isArray(value)) return withoutSecrets(value as Record<string, unknown>, levels);
  const masked = value.map((element) => inside(element, levels - 1));
  return masked.some((element, index) => element !== value[index]) ? masked : value;
}
