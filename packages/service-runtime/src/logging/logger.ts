import { type DestinationStream, type Logger, pino } from "pino";
import type { EnvironmentSummary } from "../environment/environment-summary.ts";
import { loggedRecord } from "./redaction.ts";

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
