import { userInfo } from "node:os";
import { resolve } from "node:path";
import { readEnvironment, type Variables } from "@partner-connect/service-runtime/environment";

/** What the environment says; a secret X may be in a file that X_FILE names. The rest is read from the local stack's file: see stack.ts. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** @throws {ConfigurationError} naming every variable that is malformed */
export function readConfig(variables: Variables = process.env) {
  return readEnvironment(variables, (env) => {
    const text = (name: string) => (env.isSet(name) ? env.string(name) : undefined);
    const seconds = (name: string) => (env.isSet(name) ? env.seconds(name, { min: 1 }) : undefined);
    const dataDir = resolve(env.string("DATA_DIR", ".data"));
    return {
      /** DATABASE_URL: Postgres, as the owner of the schemas (default: the local stack's). */
      databaseUrl: env.optionalStoreUrl("DATABASE_URL", "DATABASE_PASSWORD"),
      /** REDIS_URL: the authorization server's Redis (default: the local stack's). */
      redisUrl: env.optionalRedisUrl("REDIS_URL", "REDIS_PASSWORD"),
      /** RESOURCE_SERVER_REDIS_URL: the resource server's (default: the local stack's). */
      resourceServerRedisUrl: env.optionalRedisUrl("RESOURCE_SERVER_REDIS_URL", "RESOURCE_SERVER_REDIS_PASSWORD"),
      /** PUBLIC_BASE_URL: as the services have it, for links that people get (default: the local stack's). */
      publicBaseUrl: env.isSet("PUBLIC_BASE_URL") ? env.publicUrl("PUBLIC_BASE_URL") : undefined,
      /** MAIL_FROM: as the services have it; where it is set, links to set a password go by mail (default: the local stack's). */
      mailFrom: text("MAIL_FROM"),
      /** DATA_DIR: the folder of a local stack's data (default: .data). */
      dataDir,
      /** SIGNING_KEYS_FILE: its path (default: signing-keys.json in DATA_DIR). */
      signingKeysFile: resolve(env.string("SIGNING_KEYS_FILE", `${dataDir}/signing-keys.json`)),
      /** REPLICAS: base URLs of the internal ports of all replicas of every service, separated by commas (default: a local stack's). */
      replicas: env.list("REPLICAS", []),
      /** ACCESS_TOKEN_TTL_SECONDS: as the services have it (default: theirs). */
      accessTokenTtlSeconds: seconds("ACCESS_TOKEN_TTL_SECONDS"),
      /** REFRESH_TOKEN_TTL_SECONDS: as the services have it (default: theirs). */
      refreshTokenTtlSeconds: seconds("REFRESH_TOKEN_TTL_SECONDS"),
      /** AUTHORIZATION_SERVER_DB_PASSWORD: `migrate` gives it to the role authorization_server (default: none). */
      authorizationServerPassword: env.optionalSecret("AUTHORIZATION_SERVER_DB_PASSWORD"),
      /** RESOURCE_SERVER_DB_PASSWORD: `migrate` gives it to the role resource_server (default: none). */
      resourceServerPassword: env.optionalSecret("RESOURCE_SERVER_DB_PASSWORD"),
      /** NOTIFIER_DB_PASSWORD: `migrate` gives it to the role notifier (default: none). */
      notifierPassword: env.optionalSecret("NOTIFIER_DB_PASSWORD"),
      /** WEBHOOK_KEY: endpoints' secrets are derived of it; former keys stand after it (default: webhook-key in a local stack's DATA_DIR). */
      webhookKey: env.optionalSecret("WEBHOOK_KEY"),
      /** WEBHOOK_LOOPBACK: 1 where the notifier may send hints to its own machine (default: with a local stack alone). */
      webhookLoopback: env.integer("WEBHOOK_LOOPBACK", { fallback: 0, max: 1 }) === 1,
      /** PARTNER_CONNECT_OPERATOR (default: USER): the name in the audit log. */
      operator: text("PARTNER_CONNECT_OPERATOR") ?? text("USER") ?? userName(),
      /** FORCE_COLOR, then NO_COLOR: whether to use colours. Undefined where neither says it: on a terminal alone. */
      colour: colour(text("FORCE_COLOR"), text("NO_COLOR"), text("TERM")),
      // pnpm sets INIT_CWD to the folder in which it was called. An INIT_CWD of an outer script would be another folder.
      /** File arguments are relative to it: the folder of the operator's shell, although pnpm changes to the workspace's. */
      workingDirectory: (text("npm_lifecycle_event") === "partner-connect" && text("INIT_CWD")) || process.cwd(),
    };
  });
}

/** As Node decides it: FORCE_COLOR goes before NO_COLOR. https://nodejs.org/api/tty.html, https://no-color.org */
function colour(force: string | undefined, no: string | undefined, term: string | undefined): boolean | undefined {
  if (force !== undefined) return force !== "0" && force !== "false";
  return no !== undefined || term === "dumb" ? false : undefined;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
