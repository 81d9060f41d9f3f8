/** The environment doesn't say what the process needs. The message names every variable that is wrong. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly code = "CONFIGURATION";
}
