import type { ApiInformation } from "@partner-connect/public-api";
import {
  type Environment,
  type MailAddress,
  mailAddress,
  readEnvironment,
  summarizeEnvironment,
  tracingOptions,
  type Variables,
} from "@partner-connect/service-runtime/environment";

/** What this service needs to know, by concern. A secret X may be in a file that X_FILE names. deploy/operations/settings.md has them all. */
export type Config = ReturnType<typeof configOf>;

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export const readConfig = (variables: Variables = process.env): Config => readEnvironment(variables, configOf);

/** Which variables are set, which are not, and which are unknown: for the log, without passwords. */
export const summarizeConfig = (variables: Variables = process.env) => summarizeEnvironment(variables, configOf);

function configOf(env: Environment) {
  const publicBaseUrl = env.publicUrl("PUBLIC_BASE_URL");
  return {
    http: {
      host: env.string("HOST", "0.0.0.0"),
      port: env.port("PORT"),
      /** Health and metrics. */
      internalPort: env.port("INTERNAL_PORT"),
      /** CIDR list of the gateway's addresses. */
      trustedProxies: env.list("TRUSTED_PROXIES", []),
      /** Base of `prev` and `next`, whatever the Host header says. */
      publicApiUrl: env.publicUrl("PUBLIC_API_URL", publicBaseUrl),
    },
    stores: {
      databaseUrl: env.storeUrl("DATABASE_URL", "DATABASE_PASSWORD"),
      redisUrl: env.redisUrl("REDIS_URL", "REDIS_PASSWORD"),
    },
    tokens: {
      jwksUrl: env.url("JWKS_URL"),
      jwksRefreshSeconds: env.seconds("JWKS_REFRESH_SECONDS", { fallback: 60, min: 1 }),
      /** The `iss` of access tokens, and their `aud`. */
      issuer: publicBaseUrl,
      audience: env.string("ACCESS_TOKEN_AUDIENCE", `${publicBaseUrl}/api`),
      refreshTokenTtlSeconds: env.seconds("REFRESH_TOKEN_TTL_SECONDS", { fallback: 30 * 24 * 60 * 60, min: 1 }),
    },
    information: informationOf(env),
    /** Requests a minute of one connection or API key. */
    rateLimits: { api: env.integer("API_RATE_LIMIT", { fallback: 600, min: 1 }) },
    process: {
      logLevel: env.string("LOG_LEVEL", "info"),
      /** The commit that runs, for the metrics; the image sets it. */
      revision: env.string("REVISION", "unknown"),
      /** Pause between 'not ready' and the close. */
      drainSeconds: env.seconds("DRAIN_SECONDS", { fallback: 5 }),
    },
    tracing: tracingOptions(env, "resource-server"),
  };
}

/** What openapi.json says of who runs this system. What is not set is not there. */
function informationOf(env: Environment): ApiInformation {
  const support = env.supportUrl("SUPPORT_URL");
  const contact = env.parsed<MailAddress | null>("API_CONTACT", null, mailAddress);
  const terms = env.pageUrl("API_TERMS_URL");
  const license = env.pageUrl("API_LICENSE_URL");
  const name = env.string("API_LICENSE_NAME", "");
  if (license && !name) env.problems.push("API_LICENSE_URL is set, and API_LICENSE_NAME is not");
  return {
    ...(terms && { termsOfService: terms }),
    ...((support || contact) && {
      contact: {
        ...(contact?.name && { name: contact.name }),
        ...(support && { url: support }),
        ...(contact && { email: contact.address }),
      },
    }),
    ...(name && { license: { name, ...(license && { url: license }) } }),
  };
}
