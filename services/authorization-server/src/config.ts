import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/contract";
import {
  type Environment,
  type MailAddress,
  mailAddress,
  readEnvironment,
  summarizeEnvironment,
  tracingOptions,
  type Variables,
} from "@partner-connect/service-runtime/environment";
import { type ProductLogo, productColor, productLogo, productName } from "./pages/product.ts";

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
    },
    stores: {
      databaseUrl: env.storeUrl("DATABASE_URL", "DATABASE_PASSWORD"),
      redisUrl: env.redisUrl("REDIS_URL", "REDIS_PASSWORD"),
    },
    /** Lives are seconds; a refresh token's counts from its last use. */
    tokens: {
      issuer: publicBaseUrl,
      audience: env.string("ACCESS_TOKEN_AUDIENCE", `${publicBaseUrl}/api`),
      signingKeysFile: env.string("SIGNING_KEYS_FILE"),
      accessTokenTtl: env.seconds("ACCESS_TOKEN_TTL_SECONDS", { fallback: DEFAULT_ACCESS_TOKEN_TTL_SECONDS, min: 1 }),
      authorizationCodeTtl: env.seconds("AUTHORIZATION_CODE_TTL_SECONDS", { fallback: 300, min: 1 }),
      refreshTokenTtl: env.seconds("REFRESH_TOKEN_TTL_SECONDS", { fallback: 30 * 24 * 60 * 60, min: 1 }),
      /** How long after its exchange a replayed code is taken for a retry. */
      codeReplayGrace: env.seconds("CODE_REPLAY_GRACE_SECONDS", { fallback: 60 }),
    },
    /** Requests a minute of one client address. Decisions are counted apart, with the limit of `authorize`. */
    rateLimits: {
      authorize: env.integer("AUTHORIZE_RATE_LIMIT", { fallback: 30, min: 1 }),
      token: env.integer("TOKEN_RATE_LIMIT", { fallback: 10, min: 1 }),
      /** What else a client asks by HTTP Basic: its connections, their changes, revocations. */
      partnerApi: env.integer("API_RATE_LIMIT", { fallback: 600, min: 1 }),
    },
    /** What merchants know: their survey product. Null for our own. */
    product: {
      name: env.parsed("PRODUCT_NAME", "Partner Connect", productName),
      logo: env.parsed<ProductLogo | null>("PRODUCT_LOGO", null, productLogo),
      colors: env.parsed<string | null>("PRODUCT_COLOR", null, productColor),
    },
    /** The auth hostname's URL: passkeys are asked for there too. */
    authUrl: env.isSet("AUTH_PUBLIC_URL") ? env.publicUrl("AUTH_PUBLIC_URL") : null,
    /** Where every merchant page links to; null for no link. */
    links: {
      help: env.pageUrl("HELP_URL"),
      privacy: env.pageUrl("PRIVACY_URL"),
      terms: env.pageUrl("TERMS_URL"),
    },
    /** Where partners' developers ask, https or mailto; null: the docs send them to the operator who registered their client. */
    supportUrl: env.supportUrl("SUPPORT_URL"),
    /** The sender of our mails; null: mail is off, and operators send links. */
    mailFrom: env.parsed<MailAddress | null>("MAIL_FROM", null, mailAddress),
    /** Signing in with an account elsewhere; null where merchants have passwords alone. */
    openId: openIdOf(env),
    process: {
      logLevel: env.string("LOG_LEVEL", "info"),
      /** The commit that runs, for the metrics; the image sets it. */
      revision: env.string("REVISION", "unknown"),
      /** Pause between 'not ready' and the close. */
      drainSeconds: env.seconds("DRAIN_SECONDS", { fallback: 5 }),
    },
    tracing: tracingOptions(env, "authorization-server"),
  };
}

/** With one of its variables all are needed. */
function openIdOf(env: Environment) {
  const isWanted = [
    "OIDC_ISSUER",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_CLIENT_SECRET_FILE",
    "OIDC_NAME",
    "OIDC_ONLY",
  ]
    .map((name) => env.isSet(name))
    .includes(true);
  if (!isWanted) return null;
  return {
    /** As the provider writes it. */
    issuer: env.pageUrl("OIDC_ISSUER") ?? env.string("OIDC_ISSUER"),
    clientId: env.string("OIDC_CLIENT_ID"),
    clientSecret: env.secret("OIDC_CLIENT_SECRET"),
    /** As the button calls the provider: 'Continue with NAME'. */
    name: env.string("OIDC_NAME"),
    /** Whether passwords are left out. */
    only: env.flag("OIDC_ONLY", false),
  };
}
