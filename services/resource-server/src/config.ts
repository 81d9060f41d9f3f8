import { type Environment, environment } from "@partner-connect/service-runtime";

export interface Config {
  readonly http: HttpConfig;
  readonly stores: StoresConfig;
  readonly tokens: TokensConfig;
  readonly answers: AnswersConfig;
  /** Base of `prev` and `next`, from PUBLIC_API_URL (default: PUBLIC_BASE_URL). Never the Host header. */
  readonly publicApiUrl: string;
  /** Requests per minute of one connection or API key, from API_RATE_LIMIT. */
  readonly apiRateLimit: number;
  readonly logLevel: string;
  /** Pause between 'not ready' and the close, from DRAIN_SECONDS. */
  readonly drainSeconds: number;
}

export interface HttpConfig {
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
  /** CIDR list, from TRUSTED_PROXIES. */
  readonly trustedProxies: readonly string[];
}

export interface StoresConfig {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

export interface TokensConfig {
  readonly jwksUrl: string;
  /** PUBLIC_BASE_URL. */
  readonly issuer: string;
  /** ACCESS_TOKEN_AUDIENCE (default: PUBLIC_BASE_URL/api). */
  readonly audience: string;
}

export interface AnswersConfig {
  /** Bytes of pages and exports that callers haven't taken yet, from ANSWER_MEMORY_MB (default: 128). */
  readonly memoryBytes: number;
  /** Whoever takes nothing of an answer for so long is cut off, from ANSWER_STALL_SECONDS (default: 60). */
  readonly stallSeconds: number;
}

const MEGABYTE = 1024 * 1024;

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const env: Environment = environment(variables);
  const publicBaseUrl = env.publicUrl("PUBLIC_BASE_URL");
  const config: Config = {
    http: {
      host: env.string("HOST", "0.0.0.0"),
      port: env.integer("PORT"),
      internalPort: env.integer("INTERNAL_PORT"),
      trustedProxies: env.list("TRUSTED_PROXIES", []),
    },
    stores: { databaseUrl: env.url("DATABASE_URL"), redisUrl: env.url("REDIS_URL") },
    tokens: {
      jwksUrl: env.url("JWKS_URL"),
      issuer: publicBaseUrl,
      audience: env.string("ACCESS_TOKEN_AUDIENCE", `${publicBaseUrl}/api`),
    },
    answers: {
      // The largest page is 64 MB: a thousand records of the size that an import takes.
      memoryBytes: env.integer("ANSWER_MEMORY_MB", { fallback: 128, min: 72 }) * MEGABYTE,
      stallSeconds: env.integer("ANSWER_STALL_SECONDS", { fallback: 60, min: 1 }),
    },
    publicApiUrl: env.publicUrl("PUBLIC_API_URL", publicBaseUrl),
    apiRateLimit: env.integer("API_RATE_LIMIT", { fallback: 600, min: 1 }),
    logLevel: env.string("LOG_LEVEL", "info"),
    drainSeconds: env.integer("DRAIN_SECONDS", { fallback: 5 }),
  };
  env.check();
  return config;
}
