import type { EnvironmentSummary } from "./environment-summary.ts";
import { Environment, type Variables } from "./environment-variables.ts";

export { type ClusterAddress, clusterAddress, serverUrl } from "../redis/cluster/cluster-address.ts";
export { tracingOptions } from "../tracing/tracing.ts";
export { OUR_VARIABLES } from "./environment-summary.ts";
export { type MailAddress, mailAddress } from "./mail-address.ts";
export type { Parsed } from "./variable-forms.ts";
export type { Environment, EnvironmentSummary, Variables };

/** The environment doesn't say what the process needs. The message names every variable that is wrong. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly code = "CONFIGURATION";
}

/** What `read` makes of the variables. @throws {ConfigurationError} naming every one that is missing or malformed */
export function readEnvironment<Config>(variables: Variables, read: (env: Environment) => Config): Config {
  const env = new Environment(variables);
  const config = read(env);
  if (env.problems.length > 0) throw new ConfigurationError(env.problems.join("; "));
  return config;
}

export function summarizeEnvironment(variables: Variables, read: (env: Environment) => unknown): EnvironmentSummary {
  const env = new Environment(variables);
  read(env);
  return env.summary;
}
