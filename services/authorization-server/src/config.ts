import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/access-token";
import { environment } from "@partner-connect/service-runtime";

/** What this service needs to know. Each field names its variable; times are seconds, limits are per minute. */
export interface Config {
  /** HOST, PORT: where partners' and merchants' requests arrive from the gateway. */
  readonly host: string;
  readonly port: number;
  /** INTERNAL_PORT: health and metrics. */
  readonly internalPort: number;
  /** DATABASE_URL: as role authorization_server. */
  readonly databaseUrl: string;
  /** REDIS_URL */
  readonly redisUrl: string;
  /** PUBLIC_BASE_URL: the issuer, and the base of every URL in the metadata; https, or http on localhost. */
  readonly issuer: string;
  /** ACCESS_TOKEN_AUDIENCE: the resource server's identifier, `<issuer>/api` unless set. */
  readonly audience: string;
  /** SIGNING_KEYS_FILE */
  readonly signingKeysFile: string;
  /** TRUSTED_PROXIES: CIDR list of the gateway's addresses. */
  readonly trustedProxies: readonly string[];
  /** ACCESS_TOKEN_TTL_SECONDS */
  readonly accessTokenTtl: number;
  /** AUTHORIZATION_CODE_TTL_SECONDS */
  readonly authorizationCodeTtl: number;
  /** REFRESH_TOKEN_TTL_SECONDS */
  readonly refreshTokenTtl: number;
  /** CODE_REPLAY_GRACE_SECONDS: how long after its exchange a replayed code is taken for a retry. */
  readonly codeReplayGrace: number;
  /** AUTHORIZE_RATE_LIMIT */
  readonly authorizeRateLimit: number;
  /** TOKEN_RATE_LIMIT */
  readonly tokenRateLimit: number;
  /** LOG_LEVEL */
  readonly logLevel: string;
  /** DRAIN_SECONDS: between 'not ready' and the close. */
  readonly drainSeconds: number;
}

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const env = environment(variables);
  const issuer = env.publicUrl("PUBLIC_BASE_URL");
  const config: Config = {
    host: env.string("HOST", "0.0.0.0"),
    port: env.integer("PORT"),
    internalPort: env.integer("INTERNAL_PORT"),
    databaseUrl: env.string("DATABASE_URL"),
    redisUrl: env.string("REDIS_URL"),
    issuer,
    audience: env.string("ACCESS_TOKEN_AUDIENCE", `${issuer}/api`),
    signingKeysFile: env.string("SIGNING_KEYS_FILE"),
    trustedProxies: env.list("TRUSTED_PROXIES", []),
    accessTokenTtl: env.integer("ACCESS_TOKEN_TTL_SECONDS", { fallback: DEFAULT_ACCESS_TOKEN_TTL_SECONDS, min: 1 }),
    authorizationCodeTtl: env.integer("AUTHORIZATION_CODE_TTL_SECONDS", { fallback: 300, min: 1 }),
    refreshTokenTtl: env.integer("REFRESH_TOKEN_TTL_SECONDS", { fallback: 30 * 24 * 60 * 60, min: 1 }),
    codeReplayGrace: env.integer("CODE_REPLAY_GRACE_SECONDS", { fallback: 60 }),
    authorizeRateLimit: env.integer("AUTHORIZE_RATE_LIMIT", { fallback: 30, min: 1 }),
    tokenRateLimit: env.integer("TOKEN_RATE_LIMIT", { fallback: 10, min: 1 }),
    logLevel: env.string("LOG_LEVEL", "info"),
    drainSeconds: env.integer("DRAIN_SECONDS", { fallback: 5 }),
  };
  env.check();
  return config;
}
