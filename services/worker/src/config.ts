import {
  flag,
  integer,
  mailAddress,
  optional,
  type Parsed,
  parsed,
  port,
  publicUrl,
  readEnvironment,
  SERVICE_SETTINGS,
  secret,
  secretUrl,
  smtpUrl,
  summarizeEnvironment,
  text,
  type Variables,
} from "@partner-connect/service-runtime/environment";

/** The authorization server also refuses colors with too little contrast. */
function color(value: string): Parsed<string> {
  return /^#[0-9a-f]{6}$/i.test(value)
    ? { value }
    : { problem: `is not a colour such as #12564b: ${value}` };
}

/** The worker's environment variables; deploy/operations/settings.md explains them. */
export const SETTINGS = {
  ...SERVICE_SETTINGS,
  WEBHOOK_KEY: optional(secret),
  WEBHOOK_LOOPBACK: integer(0, { max: 1 }),
  SMTP_URL: optional(secretUrl(smtpUrl)),
  MAIL_FROM: optional(parsed(mailAddress)),
  MAIL_KEY: optional(secret),
  PRODUCT_NAME: text("Partner Connect"),
  PRODUCT_COLOR: optional(parsed(color)),
  PUBLIC_BASE_URL: optional(parsed(publicUrl)),
  OIDC_ONLY: parsed(flag, "false"),
};

export const BACK_OFFICE_SETTINGS = {
  ...SERVICE_SETTINGS,
  AUDIT_KEEP_MONTHS: integer(13, { min: 1, max: 1200 }),
  INTERNAL_API_PORT: optional(port()),
  INTERNAL_API_RATE_LIMIT: integer(6000, { min: 1 }),
  REFRESH_TOKEN_TTL_SECONDS: integer(30 * 24 * 60 * 60, { min: 1, max: 399 * 24 * 60 * 60 }),
  DRAIN_SECONDS: integer(5),
};

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readBackOfficeConfig(variables: Variables = process.env) {
  const summary = summarizeEnvironment(BACK_OFFICE_SETTINGS, variables);
  return { env: readEnvironment(BACK_OFFICE_SETTINGS, variables), summary };
}

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export function readConfig(variables: Variables = process.env) {
  const mailNeeds = ["PUBLIC_BASE_URL", "MAIL_FROM", "MAIL_KEY"];
  const env = readEnvironment(SETTINGS, variables, { SMTP_URL: mailNeeds });
  return {
    env,
    summary: summarizeEnvironment(SETTINGS, variables),
    webhooks: {
      /**
       * The keys from which endpoints' secrets are derived, the current one first. Without a key no
       * webhooks are sent.
       */
      key: env.WEBHOOK_KEY,
      /** True if endpoints on this machine are allowed, even without TLS; for development. */
      allowLoopback: env.WEBHOOK_LOOPBACK === 1,
    },
    /** Null if no mail server is set; then mails are dropped. */
    mail: env.SMTP_URL
      ? {
          url: env.SMTP_URL,
          /** Default: the product's name. */
          from: {
            address: env.MAIL_FROM?.address ?? "",
            name: env.MAIL_FROM?.name || env.PRODUCT_NAME,
          },
          /** Values for the texts and links of mails. */
          bases: {
            base: env.PUBLIC_BASE_URL ?? "",
            product: env.PRODUCT_NAME,
            color: env.PRODUCT_COLOR ?? null,
            hasPasswords: !env.OIDC_ONLY,
            mailKey: env.MAIL_KEY ?? "",
          },
        }
      : null,
  };
}
