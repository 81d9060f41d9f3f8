import {
  type Environment,
  type MailAddress,
  mailAddress,
  readEnvironment,
  summarizeEnvironment,
  tracingOptions,
  type Variables,
} from "@partner-connect/service-runtime/environment";

/** @throws {ConfigurationError} naming every variable that is missing or malformed */
export const readConfig = (variables: Variables = process.env) => readEnvironment(variables, configOf);

/** Which variables are set, which are not, and which are unknown: for the log, without passwords. */
export const summarizeConfig = (variables: Variables = process.env) => summarizeEnvironment(variables, configOf);

/** What this service needs to know, by concern. A secret X may be in a file that X_FILE names. deploy/operations/settings.md has them all. */
function configOf(env: Environment) {
  return {
    http: {
      host: env.string("HOST", "0.0.0.0"),
      /** Health and metrics. It has no other port. */
      internalPort: env.port("INTERNAL_PORT"),
    },
    stores: { databaseUrl: env.storeUrl("DATABASE_URL", "DATABASE_PASSWORD") },
    webhooks: {
      /** WEBHOOK_KEY: endpoints' secrets are derived of it; former keys stand after it. Without one no hints are sent. */
      key: env.optionalSecret("WEBHOOK_KEY"),
      /** 1: endpoints on this machine count, by http too, for development. */
      allowLoopback: env.integer("WEBHOOK_LOOPBACK", { fallback: 0, max: 1 }) === 1,
    },
    mail: mailOf(env),
    process: {
      logLevel: env.string("LOG_LEVEL", "info"),
      /** The commit that runs, for the metrics; the image sets it. */
      revision: env.string("REVISION", "unknown"),
    },
    tracing: tracingOptions(env, "notifier"),
  };
}

/** Null: no mail server is set, and mails are deleted unsent. */
function mailOf(env: Environment) {
  const url = env.optionalSmtpUrl("SMTP_URL");
  const from = env.parsed<MailAddress | null>("MAIL_FROM", null, mailAddress);
  const product = env.string("PRODUCT_NAME", "Partner Connect");
  const base = url === undefined ? env.string("PUBLIC_BASE_URL", "") : env.publicUrl("PUBLIC_BASE_URL");
  const hasPasswords = !env.flag("OIDC_ONLY", false);
  if (url === undefined) return null;
  if (!from) env.problems.push("SMTP_URL is set, and MAIL_FROM is not");
  return {
    /** SMTP_URL: `smtps://`, or `smtp://` with STARTTLS; `?tls=off` for a server in our own network that has none. */
    url,
    /** MAIL_FROM. Its name may be missing: then it is the product's. */
    from: { address: from?.address ?? "", name: from?.name || product },
    /** For the links in mails. */
    bases: { base, product, hasPasswords },
  };
}
