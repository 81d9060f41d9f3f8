import { join, resolve } from "node:path";
import {
  integer,
  optional,
  port,
  readEnvironment,
  redisUrl,
  secret,
  secretUrl,
  text,
} from "@partner-connect/service-runtime/environment";

const replicas = (fallback: number, min: number) => integer(fallback, { min, max: 32 });

const STORES = {
  DATABASE_URL: optional(secret),
  DATABASE_PASSWORD: optional(secret),
  REDIS_URL: optional(secretUrl(redisUrl)),
  REDIS_PASSWORD: optional(secret),
  RESOURCE_SERVER_REDIS_URL: optional(secretUrl(redisUrl)),
  RESOURCE_SERVER_REDIS_PASSWORD: optional(secret),
};

const SIZES = {
  AUTHORIZATION_SERVER_REPLICAS: replicas(2, 1),
  RESOURCE_SERVER_REPLICAS: replicas(2, 1),
  WORKER_REPLICAS: replicas(1, 0),
};

/** Default: the port of the last run. */
const INTERNAL_API = { INTERNAL_API_PORT: optional(port()) };

/** `PORT`: where the gateway listens; 0 for any port that is free. */
export const STACK_SETTINGS = {
  PORT: port(8080),
  DATA_DIR: text(".data"),
  DEMO_DATA: text("1"),
  ...STORES,
  ...SIZES,
  ...INTERNAL_API,
};

/**
 * The variables of `pnpm dev`; the services get all others. @throws {ConfigurationError} naming
 * every malformed one
 */
export function readConfig() {
  const values = readEnvironment(STACK_SETTINGS, process.env);
  const env = withoutUndefined(process.env);
  // The stack sets these variables of the services itself, including those for files.
  for (const name of Object.keys(STORES)) {
    delete env[name];
    delete env[`${name}_FILE`];
    const url = values[name as keyof typeof STORES];
    if (name.endsWith("_URL") && url !== undefined) env[name] = url;
  }
  return {
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    demoData: values.DEMO_DATA !== "0",
    env,
  };
}

/** @throws {ConfigurationError} */
export function readStackSettings(variables: Readonly<Record<string, string>>) {
  return {
    /** Processes of each service. */
    counts: readEnvironment(SIZES, variables),
    /**
     * True if no mail server is configured, so that the stack itself receives the services' mails.
     */
    receivesMail: !variables["SMTP_URL"] && !variables["SMTP_URL_FILE"],
    internalApiPort: readEnvironment(INTERNAL_API, variables).INTERNAL_API_PORT,
  };
}

/**
 * Variables of this machine that every process needs, even if the stack gets its own environment.
 */
export function machineEnvironment(): Record<string, string> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return withoutUndefined({ PATH, HOME, LANG, TMPDIR });
}

/**
 * Candidates for the container engine's socket: DOCKER_HOST, else the defaults of Docker and
 * Podman.
 */
export function containerSockets(): string[] {
  const { DOCKER_HOST, HOME = "", XDG_RUNTIME_DIR = "" } = process.env;
  if (DOCKER_HOST) return [DOCKER_HOST.replace(/^unix:\/\//, "")];
  const ofUser = [".docker/run/docker.sock", ".docker/desktop/docker.sock"].map((path) =>
    join(HOME, path),
  );
  const ofSession = ["docker.sock", "podman/podman.sock"].map((path) =>
    join(XDG_RUNTIME_DIR, path),
  );
  return ["/var/run/docker.sock", ...ofUser, ...ofSession];
}

export function searchPath(): string {
  return process.env["PATH"] ?? "";
}

/**
 * The environment for apt-get: all our variables, which may name a proxy, the folders that root's
 * PATH may lack, and English output.
 */
export function administratorEnvironment() {
  return { ...process.env, PATH: `${searchPath()}:/usr/local/sbin:/usr/sbin:/sbin`, LC_ALL: "C" };
}

function withoutUndefined(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
