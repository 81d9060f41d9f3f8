import { closest, distance } from "fastest-levenshtein";

export type EnvironmentSummary = ReturnType<VariableNotes["summary"]>;

const MASKED = "***";

export class VariableNotes {
  readonly #known = new Set<string>();
  readonly #set = new Map<string, string>();
  readonly #defaults = new Map<string, string>();

  isKnown(name: string): void {
    this.#known.add(name);
  }

  read(name: string, text: string | undefined, fallback: unknown): void {
    this.#known.add(name);
    if (text) this.#set.set(name, withoutPassword(text));
    else if (fallback !== undefined) this.#defaults.set(name, withoutPassword(String(fallback)));
  }

  /** A URL is shown without its password; anything else not at all. A file is named. */
  readSecret(name: string, variables: Readonly<Record<string, string | undefined>>): void {
    const [text, file] = [variables[name], variables[`${name}_FILE`]];
    this.#known.add(name).add(`${name}_FILE`);
    if (text) this.#set.set(name, name.endsWith("_URL") ? withoutPassword(text) : MASKED);
    if (file) this.#set.set(`${name}_FILE`, file);
  }

  /** What a program read of its environment, fit for a log: passwords are masked. */
  summary(variables: Readonly<Record<string, string | undefined>>) {
    const names = Object.keys(variables).filter((name) => variables[name]);
    return {
      /** By name, what was set. */
      set: Object.fromEntries(this.#set),
      /** By name, what counts where nothing was set. */
      defaults: Object.fromEntries(this.#defaults),
      /** Variables that look like ours, and that nothing reads. */
      unknown: unknownVariables(names, this.#known),
    };
  }
}

/** The password before the host, and what parameters of Postgres or Redis call one. */
function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, `$1:${MASKED}@`)
    .replace(/([?&]\w*password=)[^&#]*/gi, `$1${MASKED}`);
}

/** A name that ends like this is meant for a program of ours. */
const OURS = /_(?:RATE_LIMIT|TTL_SECONDS|DB_PASSWORD|DB_PASSWORD_FILE)$/;

/** What may be a misspelt name of ours: up to two letters, one in eight, are wrong. Names of our other programs are none. */
export function unknownVariables(names: readonly string[], known: ReadonlySet<string>) {
  const ours = [...new Set([...known, ...OUR_VARIABLES, ...OUR_VARIABLES.map((name) => `${name}_FILE`)])];
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
  AUTHORIZATION_CODE_TTL_SECONDS AUTHORIZATION_SERVERS AUTHORIZATION_SERVER_DB_PASSWORD AUTHORIZATION_SERVER_REPLICAS
  AUTHORIZE_RATE_LIMIT AUTH_PUBLIC_URL CODE_REPLAY_GRACE_SECONDS DATABASE_PASSWORD DATABASE_URL DATA_DIR DEMO_DATA DRAIN_SECONDS
  HELP_URL HOST INTERNAL_PORT JWKS_REFRESH_SECONDS JWKS_URL LOG_LEVEL MAIL_FROM MAIL_PORT NOTIFIER_DB_PASSWORD NOTIFIER_REPLICAS
  OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_ISSUER OIDC_NAME OIDC_ONLY OTEL_BSP_SCHEDULE_DELAY
  OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_SERVICE_NAME OTEL_TRACES_SAMPLER_ARG
  PARTNER_CONNECT_OPERATOR PORT PRIVACY_URL PRODUCT_COLOR PRODUCT_LOGO PRODUCT_NAME PUBLIC_API_URL
  PUBLIC_BASE_URL REDIS_MAXMEMORY REDIS_PASSWORD REDIS_URL REFRESH_TOKEN_TTL_SECONDS REPLICAS RESOURCE_SERVERS
  RESOURCE_SERVER_DB_PASSWORD RESOURCE_SERVER_REDIS_MAXMEMORY RESOURCE_SERVER_REDIS_PASSWORD RESOURCE_SERVER_REDIS_URL
  RESOURCE_SERVER_REPLICAS REVISION SERVICES_DATABASE_URL SIGNING_KEYS_FILE SMTP_URL SUPPORT_URL TERMS_URL TOKEN_RATE_LIMIT TRUSTED_PROXIES WEBHOOK_KEY WEBHOOK_LOOPBACK`
  .trim()
  .split(/\s+/);
