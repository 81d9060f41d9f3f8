import { delimiter, join, resolve } from "node:path";
import {
  commaSeparated,
  integer,
  memorySize,
  optional,
  parsed,
  port,
  readEnvironment,
  redisUrl,
  secret,
  secretUrl,
  TRACING_SETTINGS,
  text,
} from "@partner-connect/service-runtime/environment";
import { tracingOptions } from "@partner-connect/service-runtime/tracing";

const replicas = (fallback: number, min: number) => integer(fallback, { min, max: 32 });

const STORES = {
  DATABASE_URL: optional(secret),
  DATABASE_PASSWORD: optional(secret),
  REDIS_URL: optional(secretUrl(redisUrl)),
  REDIS_PASSWORD: optional(secret),
  RESOURCE_SERVER_REDIS_URL: optional(secretUrl(redisUrl)),
  RESOURCE_SERVER_REDIS_PASSWORD: optional(secret),
};

/** How much of everything the stack starts. */
const SIZES = {
  AUTHORIZATION_SERVER_REPLICAS: replicas(2, 1),
  RESOURCE_SERVER_REPLICAS: replicas(2, 1),
  NOTIFIER_REPLICAS: replicas(1, 0),
  REDIS_MAXMEMORY: parsed(memorySize, "256mb"),
  RESOURCE_SERVER_REDIS_MAXMEMORY: parsed(memorySize, "128mb"),
};

/** `PORT`: where the gateway listens; 0 for any port that is free. */
export const STACK_SETTINGS = { PORT: port(8080), DATA_DIR: text(".data"), DEMO_DATA: text("1"), ...STORES, ...SIZES };

/** What `pnpm dev` reads; the services get every other variable. @throws {ConfigurationError} naming every one that is malformed */
export function readConfig() {
  const values = readEnvironment(STACK_SETTINGS, process.env);
  const env = defined(process.env);
  // The stack gives its own variables of these names to the services, also where a URL or password is in a file.
  for (const name of Object.keys(STORES)) {
    delete env[name];
    delete env[`${name}_FILE`];
    const url = values[name as keyof typeof STORES];
    if (name.endsWith("_URL") && url !== undefined) env[name] = url;
  }
  return { port: values.PORT, dataDir: resolve(values.DATA_DIR), demoData: values.DEMO_DATA !== "0", env };
}

export type ReplicaCounts = ReturnType<typeof readStackSettings>["replicas"];

/** @throws {ConfigurationError} */
export function readStackSettings(variables: Readonly<Record<string, string>>) {
  const env = readEnvironment(SIZES, variables);
  return {
    /** Processes of each service. */
    replicas: {
      authorizationServers: env.AUTHORIZATION_SERVER_REPLICAS,
      resourceServers: env.RESOURCE_SERVER_REPLICAS,
      notifiers: env.NOTIFIER_REPLICAS,
    },
    /** Whether the stack takes the mails of its services: not where there is another server, or MAIL_FROM is empty. */
    takesMail: !variables["SMTP_URL"] && !variables["SMTP_URL_FILE"],
    /** Bytes of data in each Redis. */
    maxmemory: { redis: env.REDIS_MAXMEMORY, "resource-server-redis": env.RESOURCE_SERVER_REDIS_MAXMEMORY },
  };
}

export const GATEWAY_SETTINGS = {
  ...TRACING_SETTINGS,
  PORT: port(),
  DATA_DIR: text(),
  /** Base URLs, separated by commas. */
  AUTHORIZATION_SERVERS: parsed(commaSeparated),
  RESOURCE_SERVERS: parsed(commaSeparated),
  /** Where the stack's mails are taken; unset: they are not. */
  MAIL_PORT: optional(port()),
};

export function readGatewayConfig() {
  const env = readEnvironment(GATEWAY_SETTINGS, process.env);
  return {
    port: env.PORT,
    dataDir: env.DATA_DIR,
    authorizationServers: env.AUTHORIZATION_SERVERS,
    resourceServers: env.RESOURCE_SERVERS,
    mailPort: env.MAIL_PORT ?? null,
    tracing: tracingOptions(env, "gateway"),
  };
}

/** Variables of this machine that every process needs, also where the stack is given an environment of its own. */
export function machineEnvironment(): Record<string, string> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return defined({ PATH, HOME, LANG, TMPDIR });
}

/** Of `variables`, those that turn traces on: the gateway gets them too. */
export function tracingEnvironment(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith("OTEL_")));
}

/** Where a container engine may listen: DOCKER_HOST, else the places of Docker and Podman. */
export function containerSockets(): string[] {
  const { DOCKER_HOST, HOME = "", XDG_RUNTIME_DIR = "" } = process.env;
  if (DOCKER_HOST) return [DOCKER_HOST.replace(/^unix:\/\//, "")];
  return [
    "/var/run/docker.sock",
    join(HOME, ".docker/run/docker.sock"),
    join(HOME, ".docker/desktop/docker.sock"),
    join(XDG_RUNTIME_DIR, "docker.sock"),
    join(XDG_RUNTIME_DIR, "podman/podman.sock"),
  ];
}

export function searchPath(): string {
  return process.env["PATH"] ?? "";
}

/** For apt-get: all our variables, as a proxy may be among them; the folders that root's PATH may lack; and English output. */
export function administratorEnvironment(): Record<string, string> {
  const PATH = [searchPath(), "/usr/local/sbin", "/usr/sbin", "/sbin"].join(delimiter);
  return { ...defined(process.env), PATH, LC_ALL: "C" };
}

function defined(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
