import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/contract";
import {
  flag,
  integer,
  issuerUrl,
  mailAddress,
  optional,
  pageUrl,
  parsed,
  publicUrl,
  readEnvironment,
  SERVER_SETTINGS,
  secret,
  summarizeEnvironment,
  supportUrl,
  text,
  type Variables,
} from "@partner-connect/service-runtime/environment";
import { HELP_PATH } from "./pages/paths.ts";
import { productColor, productLogo, productName } from "./pages/product.ts";

/** The environment variables of this service; deploy/operations/settings.md explains them. */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  PUBLIC_BASE_URL: parsed(publicUrl),
  ACCESS_TOKEN_AUDIENCE: optional(text()),
  SIGNING_KEYS_FILE: text(),
  ACCESS_TOKEN_TTL_SECONDS: integer(DEFAULT_ACCESS_TOKEN_TTL_SECONDS, { min: 1 }),
  AUTHORIZATION_CODE_TTL_SECONDS: integer(300, { min: 1 }),
  REFRESH_TOKEN_TTL_SECONDS: integer(30 * 24 * 60 * 60, { min: 1, max: 399 * 24 * 60 * 60 }),
  CODE_REPLAY_GRACE_SECONDS: integer(60),
  AUTHORIZE_RATE_LIMIT: integer(30, { min: 1 }),
  TOKEN_RATE_LIMIT: integer(10, { min: 1 }),
  API_RATE_LIMIT: integer(600, { min: 1 }),
  PRODUCT_NAME: parsed(productName, "Partner Connect"),
  PRODUCT_LOGO: optional(parsed(productLogo)),
  PRODUCT_COLOR: optional(parsed(productColor)),
  AUTH_PUBLIC_URL: optional(parsed(publicUrl)),
  HELP_URL: optional(parsed(pageUrl)),
  PRIVACY_URL: optional(parsed(pageUrl)),
  TERMS_URL: optional(parsed(pageUrl)),
  SUPPORT_URL: optional(parsed(supportUrl)),
  MAIL_FROM: optional(parsed(mailAddress)),
  MAIL_KEY: optional(secret),
  WEBHOOK_KEY: optional(secret),
  WEBHOOK_LOOPBACK: integer(0, { max: 1 }),
  OIDC_ISSUER: optional(parsed(issuerUrl)),
  OIDC_CLIENT_ID: optional(text()),
  OIDC_CLIENT_SECRET: optional(secret),
  OIDC_NAME: optional(text()),
  OIDC_ONLY: parsed(flag, "false"),
  OPENID_SUBJECT_IS_MERCHANT_ID: integer(0, { max: 1 }),
};

const OPENID = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME"] as const;

export type Config = ReturnType<typeof readConfig>;

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: Variables = process.env) {
  const needs = {
    ...Object.fromEntries(OPENID.map((name) => [name, OPENID])),
    MAIL_FROM: ["MAIL_KEY"],
  };
  const env = readEnvironment(
    SETTINGS,
    variables,
    variables["OIDC_ONLY"] === "true" ? { ...needs, OIDC_ONLY: OPENID } : needs,
  );
  return {
    env,
    summary: summarizeEnvironment(SETTINGS, variables),
    /** TTLs in seconds. Each use of a refresh token restarts its TTL. */
    tokens: {
      issuer: env.PUBLIC_BASE_URL,
      audience: env.ACCESS_TOKEN_AUDIENCE ?? `${env.PUBLIC_BASE_URL}/api`,
      signingKeysFile: env.SIGNING_KEYS_FILE,
      accessTokenTtl: env.ACCESS_TOKEN_TTL_SECONDS,
      authorizationCodeTtl: env.AUTHORIZATION_CODE_TTL_SECONDS,
      refreshTokenTtl: env.REFRESH_TOKEN_TTL_SECONDS,
      /** Seconds after the exchange during which a replayed code counts as a retry. */
      codeReplayGrace: env.CODE_REPLAY_GRACE_SECONDS,
    },
    /**
     * Requests per minute and client address. Decisions are counted separately, with the limit of
     * `authorize`.
     */
    rateLimits: {
      authorize: env.AUTHORIZE_RATE_LIMIT,
      token: env.TOKEN_RATE_LIMIT,
      /** Limit for other calls with HTTP Basic, such as connections, changes and revocations. */
      partner_api: env.API_RATE_LIMIT,
      /** Limit per signed-in person. */
      pages: env.API_RATE_LIMIT,
    },
    product: {
      name: env.PRODUCT_NAME,
      logo: env.PRODUCT_LOGO ?? null,
      color: env.PRODUCT_COLOR ?? null,
    },
    /** The URL of the second host of the merchant pages, on which passkeys also work. */
    authUrl: env.AUTH_PUBLIC_URL ?? null,
    /** Links of every merchant page; null if there is no such link. */
    links: {
      help: env.HELP_URL ?? HELP_PATH,
      /** How merchants reach the operator. */
      contact: env.HELP_URL ?? env.SUPPORT_URL ?? null,
      privacy: env.PRIVACY_URL ?? null,
      terms: env.TERMS_URL ?? null,
    },
    /**
     * Where partners' developers get help. If null, the docs refer them to the operator who
     * registered their client.
     */
    supportUrl: env.SUPPORT_URL ?? null,
    /**
     * The sender of our mails, and the key of the links in them. If null, mail is off, and
     * operators send links.
     */
    mail: env.MAIL_FROM ? { from: env.MAIL_FROM, key: env.MAIL_KEY ?? "" } : null,
    /**
     * Settings for partners' webhook endpoints, equal to the worker's. Without a key, only
     * operators can add endpoints.
     */
    webhooks: { key: env.WEBHOOK_KEY, allowLoopback: env.WEBHOOK_LOOPBACK === 1 },
    /** Signing in with an OpenID provider's account; null if merchants only have passwords. */
    openId: env.OIDC_ISSUER
      ? {
          /** The issuer, exactly as the provider writes it. */
          issuer: env.OIDC_ISSUER,
          clientId: env.OIDC_CLIENT_ID ?? "",
          clientSecret: env.OIDC_CLIENT_SECRET ?? "",
          /** The provider's name on the button 'Continue with NAME'. */
          name: env.OIDC_NAME ?? "",
          /** True if merchants can't sign in by password. */
          only: env.OIDC_ONLY,
          /** True if `sub` is the merchant's id in the internal API. */
          subjectIsMerchantId: env.OPENID_SUBJECT_IS_MERCHANT_ID === 1,
        }
      : null,
  };
}
