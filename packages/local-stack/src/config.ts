import { delimiter, join, resolve } from "node:path";
import { type Environment, readEnvironment, tracingOptions } from "@partner-connect/service-runtime/environment";

const MEGABYTE = 1024 ** 2;

/** What `pnpm dev` reads; the services get every other variable. @throws {ConfigurationError} naming every one that is malformed */
export function readConfig() {
  return readEnvironment(process.env, (env) => {
    const config = {
      /** PORT: where the gateway listens (default: 8080; 0: any that is free). */
      port: env.port("PORT", 8080),
      /** DATA_DIR: the folder of all data (default: .data). */
      dataDir: resolve(env.string("DATA_DIR", ".data")),
      /** DEMO_DATA: whether demo data is loaded, once (default: yes; 0: no). */
      demoData: env.string("DEMO_DATA", "1") !== "0",
      env: withStoreUrls(env, defined(process.env)),
    };
    stackSettings(env); // so that what is wrong there is said too
    return config;
  });
}

export type ReplicaCounts = ReturnType<typeof readStackSettings>["replicas"];

/** How much of everything the stack starts. @throws {ConfigurationError} */
export function readStackSettings(variables: Readonly<Record<string, string>>) {
  return readEnvironment(variables, stackSettings);
}

function stackSettings(env: Environment) {
  const replicas = (name: string, fallback: number, min: number) => env.integer(name, { fallback, min, max: 32 });
  return {
    /** Processes of each service. */
    replicas: {
      authorizationServers: replicas("AUTHORIZATION_SERVER_REPLICAS", 2, 1),
      resourceServers: replicas("RESOURCE_SERVER_REPLICAS", 2, 1),
      notifiers: replicas("NOTIFIER_REPLICAS", 1, 0),
    },
    /** Whether the stack takes the mails of its services: not where there is another server, or MAIL_FROM is empty. */
    takesMail: !env.isSet("SMTP_URL") && !env.isSet("SMTP_URL_FILE"),
    /** Bytes of data in each Redis. */
    maxmemory: {
      redis: env.memorySize("REDIS_MAXMEMORY", 256 * MEGABYTE),
      "resource-server-redis": env.memorySize("RESOURCE_SERVER_REDIS_MAXMEMORY", 128 * MEGABYTE),
    },
  };
}

/** The stores that are given, also those whose URL or password is in a file: the stack gives its own variables of these names to the services. */
function withStoreUrls(env: Environment, variables: Readonly<Record<string, string>>): Record<string, string> {
  const given = { ...variables };
  for (const [name, passwordName] of STORES) {
    const isRedis = name !== "DATABASE_URL";
    const url = isRedis ? env.optionalRedisUrl(name, passwordName) : env.optionalStoreUrl(name, passwordName);
    for (const read of [name, passwordName]) {
      delete given[read];
      delete given[`${read}_FILE`];
    }
    if (url !== undefined) given[name] = url;
  }
  return given;
}

const STORES = [
  ["DATABASE_URL", "DATABASE_PASSWORD"],
  ["REDIS_URL", "REDIS_PASSWORD"],
  ["RESOURCE_SERVER_REDIS_URL", "RESOURCE_SERVER_REDIS_PASSWORD"],
] as const;

export function readGatewayConfig() {
  return readEnvironment(process.env, (env) => ({
    port: env.port("PORT"),
    /** DATA_DIR: the stack's folder: the start page reads its files. */
    dataDir: env.string("DATA_DIR"),
    /** AUTHORIZATION_SERVERS, RESOURCE_SERVERS: base URLs, separated by commas. */
    authorizationServers: env.list("AUTHORIZATION_SERVERS"),
    resourceServers: env.list("RESOURCE_SERVERS"),
    /** MAIL_PORT: where the stack's mails are taken; unset: they are not. */
    mailPort: env.isSet("MAIL_PORT") ? env.port("MAIL_PORT") : null,
    tracing: tracingOptions(env, "gateway"),
  }));
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
