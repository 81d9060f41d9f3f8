import {
  absoluteUrl,
  integer,
  optional,
  pageUrl,
  parsed,
  publicUrl,
  readEnvironment,
  SERVER_SETTINGS,
  summarizeEnvironment,
  supportUrl,
  text,
  type Variables,
} from "@partner-connect/service-runtime/environment";

/** deploy/operations/settings.md describes each variable. */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  PUBLIC_BASE_URL: parsed(publicUrl),
  PUBLIC_API_URL: optional(parsed(publicUrl)),
  ACCESS_TOKEN_AUDIENCE: optional(text()),
  JWKS_URL: parsed(absoluteUrl),
  JWKS_REFRESH_SECONDS: integer(60, { min: 1 }),
  REFRESH_TOKEN_TTL_SECONDS: integer(30 * 24 * 60 * 60, { min: 1, max: 399 * 24 * 60 * 60 }),
  API_RATE_LIMIT: integer(600, { min: 1 }),
  API_LICENSE_NAME: optional(text()),
  API_LICENSE_URL: optional(parsed(pageUrl)),
  PRODUCT_NAME: text("Partner Connect"),
  SUPPORT_URL: optional(parsed(supportUrl)),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: Variables = process.env) {
  const env = readEnvironment(SETTINGS, variables, { API_LICENSE_URL: ["API_LICENSE_NAME"] });
  return {
    env,
    summary: summarizeEnvironment(SETTINGS, variables),
    /** Base URL of `prev` and `next`, regardless of the Host header. */
    publicApiUrl: env.PUBLIC_API_URL ?? env.PUBLIC_BASE_URL,
    tokens: {
      jwksUrl: env.JWKS_URL,
      jwksRefreshSeconds: env.JWKS_REFRESH_SECONDS,
      /** The `iss` and `aud` of access tokens. */
      issuer: env.PUBLIC_BASE_URL,
      audience: env.ACCESS_TOKEN_AUDIENCE ?? `${env.PUBLIC_BASE_URL}/api`,
      refreshTokenTtlSeconds: env.REFRESH_TOKEN_TTL_SECONDS,
    },
  };
}
