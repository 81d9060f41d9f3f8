import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/contract";
import {
  type Environment,
  type EnvironmentSummary,
  readEnvironment,
  summarizeEnvironment,
  tracingOptions,
  type Variables,
} from "@partner-connect/service-runtime/environment";
import type { TracingOptions } from "@partner-connect/service-runtime/tracing";

/**
 * What this service needs to know: one struct for each concern, each field with its variable. Where X is a secret (the stores'), it
 * may be in a file that X_FILE names.
 */
export interface Config {
  readonly http: HttpConfig;
  readonly stores: StoresConfig;
  readonly tokens: TokensConfig;
  readonly rateLimits: RateLimitsConfig;
  readonly links: LinksConfig;
  readonly process: ProcessConfig;
  /** OTEL_*: see {@link tracingOptions}. */
  readonly tracing: TracingOptions;
}

export interface HttpConfig {
  /** HOST: the address to listen on (default: 0.0.0.0, all). */
  readonly host: string;
  /** PORT: where requests arrive from the gateway (required). */
  readonly port: number;
  /** INTERNAL_PORT: health and metrics (required). */
  readonly internalPort: number;
  /** TRUSTED_PROXIES: CIDR list of the gateway's addresses, separated by commas (default: none). */
  readonly trustedProxies: readonly string[];
}

export interface StoresConfig {
  /** DATABASE_URL: Postgres, as role authorization_server (required). DATABASE_PASSWORD: its password, if the URL has none. */
  readonly databaseUrl: string;
  /** REDIS_URL: one server, or a cluster, `redis+cluster://` (required). REDIS_PASSWORD: its password, if the URL has none. */
  readonly redisUrl: string;
}

export interface TokensConfig {
  /** PUBLIC_BASE_URL: the issuer, and the base of every URL in the metadata; https, or http on localhost (required). */
  readonly issuer: string;
  /** ACCESS_TOKEN_AUDIENCE: the resource server's identifier (default: PUBLIC_BASE_URL/api). */
  readonly audience: string;
  /** SIGNING_KEYS_FILE: its path (required). */
  readonly signingKeysFile: string;
  /** ACCESS_TOKEN_TTL_SECONDS: life of an access token (default: 900). */
  readonly accessTokenTtl: number;
  /** AUTHORIZATION_CODE_TTL_SECONDS: life of a code (default: 300). */
  readonly authorizationCodeTtl: number;
  /** REFRESH_TOKEN_TTL_SECONDS: life of a refresh token without use (default: 2592000, 30 days). */
  readonly refreshTokenTtl: number;
  /** CODE_REPLAY_GRACE_SECONDS: how long after its exchange a replayed code is taken for a retry (default: 60). */
  readonly codeReplayGrace: number;
}

/** Requests a minute of one client address. */
export interface RateLimitsConfig {
  /** AUTHORIZE_RATE_LIMIT: the authorization endpoint, and, counted apart, decisions (default: 30). */
  readonly authorize: number;
  /** TOKEN_RATE_LIMIT: the token endpoint (default: 10). */
  readonly token: number;
}

/** Where every merchant page links to; null, the default, for no link. */
export interface LinksConfig {
  /** HELP_URL: your help for merchants. */
  readonly help: string | null;
  /** PRIVACY_URL: your privacy policy. */
  readonly privacy: string | null;
  /** TERMS_URL: your terms of service. */
  readonly terms: string | null;
}

export interface ProcessConfig {
  /** LOG_LEVEL: pino's (default: info). */
  readonly logLevel: string;
  /** REVISION: the commit that runs, for the metrics; the image sets it (default: unknown). */
  readonly revision: string;
  /** DRAIN_SECONDS: pause between 'not ready' and the close (default: 5). */
  readonly drainSeconds: number;
}

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: Variables = process.env): Config {
  return readEnvironment(variables, configOf);
}

/** Which variables are set, which are not, and which are unknown: for the log, without passwords. */
export function summarizeConfig(variables: Variables = process.env): EnvironmentSummary {
  return summarizeEnvironment(variables, configOf);
}

function configOf(env: Environment): Config {
  const publicBaseUrl = env.publicUrl("PUBLIC_BASE_URL");
  return {
    http: {
      host: env.string("HOST", "0.0.0.0"),
      port: env.port("PORT"),
      internalPort: env.port("INTERNAL_PORT"),
      trustedProxies: env.list("TRUSTED_PROXIES", []),
    },
    stores: {
      databaseUrl: env.storeUrl("DATABASE_URL", "DATABASE_PASSWORD"),
      redisUrl: env.redisUrl("REDIS_URL", "REDIS_PASSWORD"),
    },
    tokens: {
      issuer: publicBaseUrl,
      audience: env.string("ACCESS_TOKEN_AUDIENCE", `${publicBaseUrl}/api`),
      signingKeysFile: env.string("SIGNING_KEYS_FILE"),
      accessTokenTtl: env.seconds("ACCESS_TOKEN_TTL_SECONDS", { fallback: DEFAULT_ACCESS_TOKEN_TTL_SECONDS, min: 1 }),
      authorizationCodeTtl: env.seconds("AUTHORIZATION_CODE_TTL_SECONDS", { fallback: 300, min: 1 }),
      refreshTokenTtl: env.seconds("REFRESH_TOKEN_TTL_SECONDS", { fallback: 30 * 24 * 60 * 60, min: 1 }),
      codeReplayGrace: env.seconds("CODE_REPLAY_GRACE_SECONDS", { fallback: 60 }),
    },
    rateLimits: {
      authorize: env.integer("AUTHORIZE_RATE_LIMIT", { fallback: 30, min: 1 }),
      token: env.integer("TOKEN_RATE_LIMIT", { fallback: 10, min: 1 }),
    },
    links: {
      help: env.pageUrl("HELP_URL"),
      privacy: env.pageUrl("PRIVACY_URL"),
      terms: env.pageUrl("TERMS_URL"),
    },
    process: {
      logLevel: env.string("LOG_LEVEL", "info"),
      revision: env.string("REVISION", "unknown"),
      drainSeconds: env.seconds("DRAIN_SECONDS", { fallback: 5 }),
    },
    tracing: tracingOptions(env, "authorization-server"),
  };
}
