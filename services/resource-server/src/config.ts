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
  readonly answers: AnswersConfig;
  readonly rateLimits: RateLimitsConfig;
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
  /** PUBLIC_API_URL: base of `prev` and `next`, whatever the Host header says (default: PUBLIC_BASE_URL). */
  readonly publicApiUrl: string;
}

export interface StoresConfig {
  /** DATABASE_URL: Postgres, as role resource_server (required). DATABASE_PASSWORD: its password, if the URL has none. */
  readonly databaseUrl: string;
  /** REDIS_URL: one server, or a cluster, `redis+cluster://` (required). REDIS_PASSWORD: its password, if the URL has none. */
  readonly redisUrl: string;
}

export interface TokensConfig {
  /** JWKS_URL: the authorization server's public keys (required). */
  readonly jwksUrl: string;
  /** JWKS_REFRESH_SECONDS: how often they are fetched, unless a token names an unknown one (default: 60). */
  readonly jwksRefreshSeconds: number;
  /** PUBLIC_BASE_URL: the `iss` of access tokens; https, or http on localhost (required). */
  readonly issuer: string;
  /** ACCESS_TOKEN_AUDIENCE: the `aud` of access tokens (default: PUBLIC_BASE_URL/api). */
  readonly audience: string;
  /** REFRESH_TOKEN_TTL_SECONDS: life of a refresh token without use, as the authorization server has it (default: 2592000, 30 days). */
  readonly refreshTokenTtlSeconds: number;
}

export interface AnswersConfig {
  /** ANSWER_MEMORY_MB: bytes of pages and exports that callers haven't taken yet (default: 128 MB). */
  readonly memoryBytes: number;
  /** ANSWER_STALL_SECONDS: a caller who takes less than a megabyte of a waiting answer in that time is cut off (default: 60). */
  readonly stallSeconds: number;
}

/** Requests a minute. */
export interface RateLimitsConfig {
  /** API_RATE_LIMIT: of one connection or API key (default: 600). */
  readonly api: number;
}

export interface ProcessConfig {
  /** LOG_LEVEL: pino's (default: info). */
  readonly logLevel: string;
  /** REVISION: the commit that runs, for the metrics; the image sets it (default: unknown). */
  readonly revision: string;
  /** DRAIN_SECONDS: pause between 'not ready' and the close (default: 5). */
  readonly drainSeconds: number;
}

const MEGABYTE = 1024 * 1024;

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: Variables = process.env): Config {
  return readEnvironment(variables, configOf);
}

/** What is set, what is not, and what nobody reads: for the log, without passwords. */
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
      publicApiUrl: env.publicUrl("PUBLIC_API_URL", publicBaseUrl),
    },
    stores: {
      databaseUrl: env.storeUrl("DATABASE_URL", "DATABASE_PASSWORD"),
      redisUrl: env.redisUrl("REDIS_URL", "REDIS_PASSWORD"),
    },
    tokens: {
      jwksUrl: env.url("JWKS_URL"),
      jwksRefreshSeconds: env.seconds("JWKS_REFRESH_SECONDS", { fallback: 60, min: 1 }),
      issuer: publicBaseUrl,
      audience: env.string("ACCESS_TOKEN_AUDIENCE", `${publicBaseUrl}/api`),
      refreshTokenTtlSeconds: env.seconds("REFRESH_TOKEN_TTL_SECONDS", { fallback: 30 * 24 * 60 * 60, min: 1 }),
    },
    answers: {
      // A thousand records of the size that an import takes are 64 MB. Recategorized ones may be larger, and such a page is refused.
      memoryBytes: env.integer("ANSWER_MEMORY_MB", { fallback: 128, min: 72 }) * MEGABYTE,
      stallSeconds: env.seconds("ANSWER_STALL_SECONDS", { fallback: 60, min: 1 }),
    },
    rateLimits: { api: env.integer("API_RATE_LIMIT", { fallback: 600, min: 1 }) },
    process: {
      logLevel: env.string("LOG_LEVEL", "info"),
      revision: env.string("REVISION", "unknown"),
      drainSeconds: env.seconds("DRAIN_SECONDS", { fallback: 5 }),
    },
    tracing: tracingOptions(env, "resource-server"),
  };
}
