import { readFileSync } from "node:fs";
import { closest, distance } from "fastest-levenshtein";
import type { Parsed, Settings, Values } from "./variable-forms.ts";

export { type ClusterAddress, clusterAddress, redisUrl, serverUrl } from "../redis/cluster/cluster-address.ts";
export * from "./service-settings.ts";
export * from "./variable-forms.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** `code`: this is the operator's to mend, so no stack trace is printed. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly code = "CONFIGURATION";
}

/**
 * The values of the variables. An empty variable is not set; a password in X_PASSWORD becomes part of X_URL. `needs`: variables
 * that must be set where another one is. @throws {ConfigurationError} naming all that are missing or malformed, without secrets
 */
export function readEnvironment<S extends Settings>(
  settings: S,
  variables: Variables,
  needs: Readonly<Record<string, readonly string[]>> = {},
): Values<S> {
  const problems = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const given = setting.secret ? secretOf(name, variables) : { value: variables[name] };
    const text = "value" in given ? given.value || setting.default : undefined;
    if ("problem" in given) problems.set(name, given.problem);
    else if (text !== undefined) {
      const parsed = setting.form(text);
      if ("value" in parsed) values[name] = parsed.value;
      else problems.set(name, `${name} ${parsed.problem}`);
    } else if (!setting.optional) problems.set(name, `${name} is not set`);
  }
  for (const [name, needed] of Object.entries(needs).filter(([name]) => name in values)) {
    for (const missing of needed.filter((each) => !(each in values) && !problems.has(each)))
      problems.set(missing, `${missing} is not set, and ${name} is`);
  }
  addPasswords(values, problems);
  if (problems.size > 0) throw new ConfigurationError([...problems.values()].join("; "));
  return values as Values<S>;
}

/** The secret X, or of the file X_FILE without the line break at its end. Problems never quote it. */
function secretOf(name: string, variables: Variables): Parsed<string | undefined> {
  const [text, file] = [variables[name], variables[`${name}_FILE`]];
  if (!file) return { value: text };
  if (text) return { problem: `${name} and ${name}_FILE are both set` };
  try {
    const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    if (content === "") return { problem: `${name}_FILE is an empty file` };
    if (/[\r\n\0]/.test(content)) return { problem: `${name}_FILE is a file of more than one line` };
    return { value: content };
  } catch (error) {
    return { problem: `${name}_FILE can't be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}

const USER_AND_PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#@:]*)(?::([^/?#@]*))?@)?/i;

function addPasswords(values: Record<string, unknown>, problems: Map<string, string>): void {
  for (const name of Object.keys(values).filter((name) => name.endsWith("_PASSWORD"))) {
    const urlName = name.replace(/PASSWORD$/, "URL");
    const url = values[urlName];
    if (typeof url !== "string") continue;
    const [start, scheme = "", user = "", own = ""] = USER_AND_PASSWORD.exec(url) ?? [];
    if (start === undefined || own) {
      const problem = start === undefined ? "is not a URL" : "has a password as well";
      problems.set(name, `${name} is set, and ${urlName} ${problem}`);
    } else values[urlName] = `${scheme}${user}:${encodeURIComponent(String(values[name]))}@${url.slice(start.length)}`;
  }
}

export type EnvironmentSummary = ReturnType<typeof summarizeEnvironment>;

/** What a program reads of its environment, fit for a log: passwords are masked. */
export function summarizeEnvironment(settings: Settings, variables: Variables) {
  const isSet = (name: string) => Boolean(variables[name] || (settings[name]?.secret && variables[`${name}_FILE`]));
  const shown = (name: string) => {
    if (!variables[name]) return [`${name}_FILE`, variables[`${name}_FILE`]];
    return [name, settings[name]?.secret && !name.endsWith("_URL") ? MASK : withoutPassword(variables[name])];
  };
  const names = Object.keys(settings);
  const defaults = names.filter((name) => !isSet(name) && settings[name]?.default !== undefined);
  return {
    set: Object.fromEntries(names.filter(isSet).map(shown)) as Record<string, string>,
    defaults: Object.fromEntries(defaults.map((name) => [name, String(settings[name]?.default)])),
    /** Variables that look like ours, and that nothing reads. */
    unknown: unknownVariables(Object.keys(variables).filter((name) => variables[name])),
  };
}

const MASK = "***";

/** Masks the password before the host, and what parameters of Postgres or Redis call one. */
function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, `$1:${MASK}@`)
    .replace(/([?&]\w*password=)[^&#]*/gi, `$1${MASK}`);
}

/** A name that ends like this is meant for a program of ours. */
const OURS = /_(?:RATE_LIMIT|TTL_SECONDS|DB_PASSWORD|DB_PASSWORD_FILE)$/;

/** What may be a misspelt name of ours: up to two letters, one in eight, are wrong. Names of our other programs are none. */
export function unknownVariables(names: readonly string[]) {
  const ours = OUR_VARIABLES.flatMap((name) => [name, `${name}_FILE`]);
  return names.flatMap((name) => {
    if (ours.includes(name) || name.startsWith("OTEL_")) return []; // OpenTelemetry's libraries read more of them
    const nearest = closest(name, ours);
    const isMisspelt = distance(name, nearest) <= Math.min(2, Math.floor(name.length / 8));
    return isMisspelt || OURS.test(name) ? [{ name, nearest }] : [];
  });
}

/** Every variable that a program of ours reads, so that no other one takes it for a misspelt name. A test holds the list. */
export const OUR_VARIABLES: readonly string[] = `
  ACCESS_TOKEN_AUDIENCE ACCESS_TOKEN_TTL_SECONDS API_CONTACT API_LICENSE_NAME
  API_LICENSE_URL API_RATE_LIMIT API_TERMS_URL
  AUTHORIZATION_CODE_TTL_SECONDS AUTHORIZATION_SERVER_DB_PASSWORD AUTHORIZATION_SERVER_REPLICAS
  AUTHORIZE_RATE_LIMIT AUTH_PUBLIC_URL CODE_REPLAY_GRACE_SECONDS DATABASE_PASSWORD DATABASE_URL DATA_DIR DEMO_DATA DRAIN_SECONDS
  HELP_URL HOST INTERNAL_PORT JWKS_REFRESH_SECONDS JWKS_URL LOG_LEVEL MAIL_FROM NOTIFIER_DB_PASSWORD NOTIFIER_REPLICAS
  OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_ISSUER OIDC_NAME OIDC_ONLY OTEL_BSP_SCHEDULE_DELAY
  OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_SERVICE_NAME OTEL_TRACES_SAMPLER_ARG
  PARTNER_CONNECT_OPERATOR PORT PRIVACY_URL PRODUCT_COLOR PRODUCT_LOGO PRODUCT_NAME PUBLIC_API_URL
  PUBLIC_BASE_URL REDIS_PASSWORD REDIS_URL REFRESH_TOKEN_TTL_SECONDS REPLICAS
  RESOURCE_SERVER_DB_PASSWORD RESOURCE_SERVER_REDIS_PASSWORD RESOURCE_SERVER_REDIS_URL
  RESOURCE_SERVER_REPLICAS REVISION SERVICES_DATABASE_URL SIGNING_KEYS_FILE SMTP_URL SUPPORT_URL TERMS_URL TOKEN_RATE_LIMIT TRUSTED_PROXIES WEBHOOK_KEY WEBHOOK_LOOPBACK`
  .trim()
  .split(/\s+/);
