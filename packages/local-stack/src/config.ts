import { delimiter, join, resolve } from "node:path";

/** What `pnpm dev` reads; every other variable goes to the services as it is. */
export interface Config {
  /** PORT */
  readonly port: number;
  /** DATA_DIR */
  readonly dataDir: string;
  /** DEMO_DATA: anything but 0. */
  readonly demoData: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export class ConfigurationError extends Error {
  readonly code = "CONFIGURATION";
}

export function readConfig(): Config {
  const { env } = process;
  const port = wholeNumber("PORT", env["PORT"], 8080, 0, 65_535);
  return { port, dataDir: resolve(env["DATA_DIR"] || ".data"), demoData: env["DEMO_DATA"] !== "0", env: defined(env) };
}

export interface GatewayConfig {
  readonly port: number;
  readonly authorizationServers: readonly string[];
  readonly resourceServers: readonly string[];
}

/** The gateway's own process. */
export function readGatewayConfig(): GatewayConfig {
  const { env } = process;
  return {
    port: Number(env["PORT"]),
    authorizationServers: env["AUTHORIZATION_SERVERS"]?.split(",") ?? [],
    resourceServers: env["RESOURCE_SERVERS"]?.split(",") ?? [],
  };
}

/** What a program needs of the machine it runs on, whatever the stack is told. */
export function machineEnvironment(): Record<string, string> {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return defined({ PATH, HOME, LANG, TMPDIR });
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

/** Folders in which programs are looked for. */
export function searchPath(): string {
  return process.env["PATH"] ?? "";
}

/**
 * For the system's own tools, as if they were typed here: with the proxies that may be set, with the folders that root's
 * PATH lacks after a plain `su`, and in English, as what they say is read.
 */
export function administratorEnvironment(): Record<string, string> {
  const PATH = [searchPath(), "/usr/local/sbin", "/usr/sbin", "/sbin"].join(delimiter);
  return { ...defined(process.env), PATH, LC_ALL: "C" };
}

/** @throws ConfigurationError unless `value` is a whole number from `least` to `most` */
export function wholeNumber(name: string, value: string | undefined, fallback: number, least: number, most: number) {
  if (value === undefined || value === "") return fallback;
  const number = Number(value);
  if (/^\d{1,6}$/.test(value) && number >= least && number <= most) return number;
  throw new ConfigurationError(`${name} is not a whole number from ${least} to ${most}: ${value}`);
}

/**
 * Bytes of a size as Redis writes it.
 * @throws ConfigurationError unless `value` is a whole number of `mb` or `gb`
 */
export function memorySize(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined || value === "") return fallback;
  const [, number, unit] = /^([1-9]\d{0,5})(mb|gb)$/i.exec(value) ?? [];
  if (number && unit) return Number(number) * (unit.toLowerCase() === "gb" ? 1024 ** 3 : 1024 ** 2);
  throw new ConfigurationError(`${name} is not a size such as 256mb or 1gb: ${value}`);
}

function defined(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
