import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { derivedRolePassword, migrate, roleUrl, type ServiceRole } from "@partner-connect/database";
import { createSigningKeysFile } from "@partner-connect/signing-keys";
import { type ChildOptions, startChild } from "../processes/child.ts";
import { freePort } from "../processes/free-port.ts";
import type { Part, Watch } from "../processes/part.ts";

export interface ServicesOptions {
  readonly dataDir: string;
  /** The gateway's port. */
  readonly port: number;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly resourceServerRedisUrl: string;
  /** From which the services' database passwords derive. */
  readonly roleSecret: string;
  readonly authorizationServers: number;
  readonly resourceServers: number;
  /** Variables that the services get as they are, such as lifetimes and limits. */
  readonly env: Readonly<Record<string, string>>;
}

/** One of a service's processes. Its two ports, for the gateway and for health, stay the same when it restarts. */
export interface Replica {
  readonly name: string;
  readonly url: string;
  readonly internalUrl: string;
  start(watch: Watch): Promise<Part>;
}

const SERVICES = fileURLToPath(new URL("../../../../services", import.meta.url));

/** Brings the database and the signing keys to where both services can start, and says how to start each replica. */
export async function prepareServices(options: ServicesOptions): Promise<{
  readonly authorizationServers: readonly Replica[];
  readonly resourceServers: readonly Replica[];
}> {
  const { dataDir, databaseUrl, roleSecret } = options;
  const passwords = {
    authorizationServerPassword: derivedRolePassword(roleSecret, "authorization_server"),
    resourceServerPassword: derivedRolePassword(roleSecret, "resource_server"),
  };
  await migrate(databaseUrl, passwords);
  const signingKeysFile = join(dataDir, "signing-keys.json");
  await createSigningKeysFile(signingKeysFile);

  const base = `http://localhost:${options.port}`;
  const shared = {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...options.env,
    PUBLIC_BASE_URL: options.env["PUBLIC_BASE_URL"] || base,
    HOST: "127.0.0.1",
    // The gateway's address: only what it says of the client counts.
    TRUSTED_PROXIES: "127.0.0.1/32,::1/128",
    // Long enough for the gateway to hear from an answer that a replica is leaving.
    DRAIN_SECONDS: options.env["DRAIN_SECONDS"] ?? "1",
  };
  const database = (role: ServiceRole) => roleUrl(databaseUrl, role, derivedRolePassword(roleSecret, role));
  return {
    authorizationServers: await replicas("authorization-server", options.authorizationServers, dataDir, {
      ...shared,
      DATABASE_URL: database("authorization_server"),
      REDIS_URL: options.redisUrl,
      SIGNING_KEYS_FILE: signingKeysFile,
    }),
    resourceServers: await replicas("resource-server", options.resourceServers, dataDir, {
      ...shared,
      DATABASE_URL: database("resource_server"),
      REDIS_URL: options.resourceServerRedisUrl,
      // Through the gateway, so that any authorization server that is up will do. By its address: a machine may not
      // know `localhost`.
      JWKS_URL: `http://127.0.0.1:${options.port}/oauth/api/jwks`,
    }),
  };
}

/** As in deploy/Dockerfile: by default Node lets the young generation grow to 128 MB, which buys a service nothing. */
const NODE_FLAGS = ["--max-semi-space-size=8"];

/** Sources without their types, kept from one start to the next: the compiler that strips them needn't be loaded, 25 MB. */
const COMPILE_CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/node-compile", import.meta.url));

async function replicas(
  service: string,
  count: number,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Replica[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [port, internalPort] = [await freePort(), await freePort()];
      const name = `${service}-${index + 1}`;
      const url = `http://127.0.0.1:${port}`;
      const internalUrl = `http://127.0.0.1:${internalPort}`;
      const child: ChildOptions = {
        name,
        url,
        command: process.execPath,
        args: [...NODE_FLAGS, join(SERVICES, service, "src", "main.ts")],
        env: { ...env, PORT: String(port), INTERNAL_PORT: String(internalPort) },
        log: join(dataDir, "logs", `${name}.log`),
        serves: () => isReady(internalUrl),
      };
      return { name, url, internalUrl, start: (watch: Watch) => startChild(child, watch) };
    }),
  );
}

async function isReady(internalUrl: string): Promise<boolean> {
  const answer = await fetch(`${internalUrl}/readyz`);
  if (!answer.ok) throw new Error(`/readyz says ${(await answer.text()).trim()}`);
  return true;
}
