import { userInfo } from "node:os";
import { resolve } from "node:path";
import {
  commaSeparated,
  integer,
  optional,
  parsed,
  publicUrl,
  readEnvironment,
  redisUrl,
  secret,
  secretUrl,
  text,
  type Variables,
} from "@partner-connect/service-runtime/environment";
import packageJson from "../package.json" with { type: "json" };

export const VERSION: string = packageJson.version;

/** The variables of the command line. If some are not set, stack.ts takes the local stack's. */
export const OPERATOR_SETTINGS = {
  /** The database, as the owner of the schemas. */
  DATABASE_URL: optional(secret),
  DATABASE_PASSWORD: optional(secret),
  REDIS_URL: optional(secretUrl(redisUrl)),
  REDIS_PASSWORD: optional(secret),
  RESOURCE_SERVER_REDIS_URL: optional(secretUrl(redisUrl)),
  RESOURCE_SERVER_REDIS_PASSWORD: optional(secret),
  PUBLIC_BASE_URL: optional(parsed(publicUrl)),
  MAIL_FROM: optional(text()),
  MAIL_KEY: optional(secret),
  DATA_DIR: text(".data"),
  SIGNING_KEYS_FILE: optional(text()),
  /** Base URLs of the internal ports of all replicas of every service. */
  REPLICAS: optional(parsed(commaSeparated)),
  ACCESS_TOKEN_TTL_SECONDS: optional(integer(undefined, { min: 1 })),
  REFRESH_TOKEN_TTL_SECONDS: optional(integer(undefined, { min: 1 })),
  AUTHORIZATION_SERVER_DB_PASSWORD: optional(secret),
  RESOURCE_SERVER_DB_PASSWORD: optional(secret),
  WORKER_DB_PASSWORD: optional(secret),
  BACK_OFFICE_DB_PASSWORD: optional(secret),
  WEBHOOK_KEY: optional(secret),
  WEBHOOK_LOOPBACK: integer(0, { max: 1 }),
  PARTNER_CONNECT_OPERATOR: optional(text()),
};

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** @throws {ConfigurationError} naming every variable that is malformed */
export function readConfig(variables: Variables = process.env) {
  const env = readEnvironment(OPERATOR_SETTINGS, variables, { MAIL_FROM: ["MAIL_KEY"] });
  const dataDir = resolve(env.DATA_DIR);
  return {
    ...env,
    dataDir,
    signingKeysFile: resolve(env.SIGNING_KEYS_FILE ?? `${dataDir}/signing-keys.json`),
    rolePasswords: {
      authorization_server: env.AUTHORIZATION_SERVER_DB_PASSWORD,
      resource_server: env.RESOURCE_SERVER_DB_PASSWORD,
      worker: env.WORKER_DB_PASSWORD,
      back_office: env.BACK_OFFICE_DB_PASSWORD,
    },
    /** The operator's name in the audit log. */
    operator: env.PARTNER_CONNECT_OPERATOR ?? (variables["USER"] || userName()),
    /**
     * The folder of the operator's shell, to which file arguments are relative. pnpm runs commands
     * in the workspace's folder, and sets INIT_CWD to the shell's, as other scripts may also do.
     */
    workingDirectory:
      (variables["npm_lifecycle_event"] === "partner-connect" && variables["INIT_CWD"]) ||
      process.cwd(),
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
