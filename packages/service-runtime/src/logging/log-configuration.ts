import type { EnvironmentSummary } from "../environment/environment-summary.ts";
import type { Logger } from "./logger.ts";

/** One record of what is set, without passwords, and a warning for each variable that looks like ours and that nobody reads. */
export function logConfiguration(logger: Logger, { set, defaults, unknown }: EnvironmentSummary): void {
  logger.info({ set, defaults }, "configuration");
  for (const { name, nearest } of unknown) {
    logger.warn({ variable: name, nearest }, "a variable that nothing reads: is its name right?");
  }
}
