import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeMonths, recordAudit } from "@partner-connect/audit";
import {
  derivedRolePassword,
  derivedRolePasswords,
  migrate,
  roleUrl,
  SchemaHistoryError,
  type ServiceRole,
} from "@partner-connect/database";
import { installJobs } from "@partner-connect/jobs";
import { claimPort, freePort, isFree } from "@partner-connect/service-runtime/free-port";
import { createSigningKeysFile } from "@partner-connect/signing-keys";
import { machineEnvironment, type readStackSettings } from "./config.ts";
import type { DemoClient } from "./demo.ts";
import type { GatewayConfig } from "./gateway/gateway.ts";
import { type Command, StartFailure } from "./processes.ts";
import type { Stores } from "./stores/open-stores.ts";
import { withDatabase } from "./stores/postgres.ts";

type Env = Readonly<Record<string, string>>;

export interface Stack extends Stores {
  readonly dataDir: string;
  readonly env: Env;
  /** The gateway's port. */
  readonly port: number;
  readonly internalApiPort: number;
  readonly roleSecret: string;
  readonly counts: ReturnType<typeof readStackSettings>["counts"];
  /** Each replica gets its own IP address, as on separate machines. */
  readonly apart: boolean;
  /**
   * The gateway's port for the services' mails. Null if mails are sent according to the
   * environment, if at all.
   */
  readonly mailPort: number | null;
}

/** Creates what the services need: the tables, their roles' passwords, the keys. */
export async function prepareServices({ dataDir, env, databaseUrl, roleSecret }: Stack) {
  await migrate(databaseUrl, {
    passwords: derivedRolePasswords(roleSecret),
    afterwards: installJobs,
  }).catch((error) => {
    if (!(error instanceof SchemaHistoryError)) throw error;
    const remedy = env["DATABASE_URL"]
      ? error.hint
      : `use that version, or delete the folder ${dataDir}`;
    throw new StartFailure(`${error.message}; ${remedy}`);
  });
  await withDatabase(databaseUrl, dataDir, async (sql) => {
    await makeMonths(sql);
    const key = await createSigningKeysFile(join(dataDir, "signing-keys.json"));
    const detail = { kid: key?.kid, alg: key?.alg };
    const made = { action: "signing_key_generate", detail } as const;
    if (key) await recordAudit(sql, made, { name: "system" });
  });
  // The operator's command line reads them there.
  for (const name of ["webhook-key", "mail-key"]) {
    const key = randomBytes(32).toString("hex");
    await writeFile(join(dataDir, name), key, { flag: "wx", mode: 0o600 }).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/**
 * A process of a service. Its two ports, for the gateway and for health, stay the same when it
 * restarts.
 */
interface Replica {
  readonly url: string;
  readonly internalUrl: string;
  readonly command: Command;
}

/** The stack's public base URL: its own gateway, unless another one is in front. */
function publicBaseUrl({ port, env }: Pick<Stack, "port" | "env">): string {
  return env["PUBLIC_BASE_URL"] || `http://localhost:${port}`;
}

export type Services = Awaited<ReturnType<typeof serviceReplicas>>;

/** The services' processes, not started yet. */
export async function serviceReplicas(stack: Stack) {
  const { dataDir, counts, mailPort, roleSecret } = stack;
  // SERVICES_DATABASE_URL is where both servers, but not the queues' processes, find the database.
  const { SERVICES_DATABASE_URL, ...passed } = stack.env;
  const envOf = (role: ServiceRole) => ({
    ...(mailPort !== null && { MAIL_FROM: "mail@localhost" }),
    SUPPORT_URL: "mailto:support@localhost",
    ...passed,
    MAIL_KEY_FILE: join(dataDir, "mail-key"),
    PUBLIC_BASE_URL: publicBaseUrl(stack),
    // The services take client addresses only from the gateway.
    TRUSTED_PROXIES: "127.0.0.1/32,::1/128",
    DRAIN_SECONDS: passed["DRAIN_SECONDS"] ?? "1",
    // The queues are on the coordinator of a cluster, where migrations run.
    DATABASE_URL: roleUrl(
      (role.endsWith("_server") && SERVICES_DATABASE_URL) || stack.databaseUrl,
      role,
      derivedRolePassword(roleSecret, role),
    ),
  });
  const webhooks = { WEBHOOK_KEY_FILE: join(dataDir, "webhook-key"), WEBHOOK_LOOPBACK: "1" };
  return {
    authorizationServers: await replicas(
      stack,
      "authorization-server",
      counts.AUTHORIZATION_SERVER_REPLICAS,
      {
        ...envOf("authorization_server"),
        REDIS_URL: stack.redisUrl,
        SIGNING_KEYS_FILE: join(dataDir, "signing-keys.json"),
        ...webhooks,
      },
    ),
    resourceServers: await replicas(stack, "resource-server", counts.RESOURCE_SERVER_REPLICAS, {
      ...envOf("resource_server"),
      REDIS_URL: stack.resourceServerRedisUrl,
      // Through the gateway, so that any authorization server that is up can answer; not every
      // machine resolves `localhost`.
      JWKS_URL: `http://127.0.0.1:${stack.port}/oauth/api/jwks`,
    }),
    backOffices: await replicas(
      stack,
      "back-office",
      1,
      { ...envOf("back_office"), NODE_OPTIONS: "--max-semi-space-size=2 --max-old-space-size=128" },
      "services/worker/src/back-office.main.ts",
    ),
    workers: await replicas(stack, "worker", counts.WORKER_REPLICAS, {
      ...envOf("worker"),
      ...webhooks,
      ...(mailPort !== null && { SMTP_URL: `smtp://127.0.0.1:${mailPort}` }),
    }),
  };
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A program of this repository. */
function program(dataDir: string, name: string, main: string, words: readonly string[] = []) {
  const log = join(dataDir, "logs", `${name}.log`);
  return {
    name,
    command: process.execPath,
    args: [join(ROOT, main), ...words],
    log,
    serves: async () => {},
  };
}

/**
 * Settings of Node as in deploy/Dockerfile: a small young generation, one malloc arena. The cache
 * saves Node from loading the compiler that strips types.
 */
const NODE_ENV = {
  NODE_OPTIONS: "--max-semi-space-size=8",
  MALLOC_ARENA_MAX: "1",
  NODE_COMPILE_CACHE: join(ROOT, "node_modules/.cache/node-compile"),
};

async function replicas(
  { dataDir, apart, internalApiPort }: Stack,
  service: string,
  count: number,
  env: Env,
  main = `services/${service}/src/main.ts`,
): Promise<Replica[]> {
  const isServer = service.endsWith("-server");
  const isBackOffice = service === "back-office";
  const shared = isBackOffice
    ? [internalApiPort]
    : apart
      ? [await freePort(), await freePort()]
      : [];
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [port = await freePort(), internalPort = await freePort()] = shared;
      const host = apart ? `127.0.0.${index + 1}` : "127.0.0.1";
      const [url, internalUrl] = [`http://${host}:${port}`, `http://${host}:${internalPort}`];
      const own = { HOST: host, PORT: String(port), INTERNAL_PORT: String(internalPort) };
      const command: Command = {
        ...program(dataDir, count === 1 && !isServer ? service : `${service}-${index + 1}`, main),
        // A worker has an internal port only.
        ...((isServer || isBackOffice) && { url }),
        env: {
          ...NODE_ENV,
          ...env,
          ...own,
          ...(isBackOffice && { INTERNAL_API_PORT: String(port) }),
        },
        async serves() {
          // Asking for readiness before a resource server has fetched the keys would log a warning
          // there.
          const keys = service === "resource-server" && (await fetchOk(`${internalUrl}/keys`));
          if (keys && JSON.parse(keys).known.length === 0) throw new Error("has no keys yet");
          await fetchOk(`${internalUrl}/readyz`);
        },
      };
      return { url, internalUrl, command };
    }),
  );
}

async function fetchOk(url: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(url).pathname} returned ${text.trim()}`);
  return text;
}

export function gatewayCommand(
  { dataDir, port, mailPort }: Pick<Stack, "dataDir" | "port" | "mailPort">,
  services: Readonly<
    Record<"authorizationServers" | "resourceServers", readonly { url: string }[]>
  >,
): Command {
  const [authorizationServers, resourceServers] = [
    services.authorizationServers,
    services.resourceServers,
  ].map((replicas) => replicas.map(({ url }) => url)) as [string[], string[]];
  const id = randomUUID();
  const config: GatewayConfig = { id, port, mailPort, authorizationServers, resourceServers };
  return {
    ...program(dataDir, "gateway", "packages/local-stack/src/gateway/main.ts", [
      JSON.stringify(config),
    ]),
    url: `http://localhost:${port}`,
    env: machineEnvironment(),
    // There is no such page, so the gateway itself answers, unless another one has taken the port.
    serves: async () => {
      const { headers } = await fetch(`http://127.0.0.1:${port}/none`);
      if (headers.get("x-gateway-id") !== id) throw new Error("another program answers");
    },
  };
}

/**
 * The sample partner app's process, on port 3000 or, if it is in use, on a free one: a loopback
 * redirect URI matches any port.
 */
export async function samplePartnerCommand(stack: Stack, client: DemoClient): Promise<Command> {
  const data = join(stack.dataDir, "sample-partner");
  await mkdir(data, { mode: 0o700, recursive: true });
  const free = await Promise.all([claimPort(3000), isFree("127.0.0.1", 3000), isFree("::1", 3000)]);
  const port = free.includes(false) ? await freePort() : 3000;
  return {
    ...program(stack.dataDir, "sample-partner", "packages/sample-partner/src/main.ts"),
    url: `http://localhost:${port}`,
    env: {
      ...machineEnvironment(),
      ...(stack.env["PRODUCT_NAME"] && { PRODUCT_NAME: stack.env["PRODUCT_NAME"] }),
      PORT: String(port),
      DATA_DIR: data,
      PARTNER_CONNECT_URL: publicBaseUrl(stack),
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
    },
    serves: () => fetchOk(`http://127.0.0.1:${port}/livez`),
  };
}
