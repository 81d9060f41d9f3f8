import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { clusterAddress, serverUrl } from "@partner-connect/service-runtime/environment";
import { Redis } from "ioredis";
import { readStackSettings, searchPath } from "../config.ts";
import { type ContainerOptions, startContainer } from "../containers/start-container.ts";
import { type StorePlace, startStore } from "../containers/start-store.ts";
import { startProcess } from "../processes/start-process.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import { redisProgram } from "./redis-program.ts";

export interface RedisRole {
  /** Also the name of its folder in DATA_DIR. */
  readonly name: "redis" | "resource-server-redis";
  readonly settings: readonly string[];
}

/** Codes, tokens and sign-ins: a write is on disk before it is acknowledged. When it is full it refuses writes. */
export const MAIN_REDIS: RedisRole = {
  name: "redis",
  settings: ["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"],
};

/**
 * Counters and cursor positions. No call of the API waits for the disk, or fails because it is full: so no append-only file, and a
 * crash loses the last ten seconds. When it is full it evicts what was not used for longest.
 */
export const RESOURCE_SERVER_REDIS: RedisRole = {
  name: "resource-server-redis",
  settings: [
    ...["--save", "10 1", "--rdbcompression", "no", "--stop-writes-on-bgsave-error", "no"],
    ...["--appendonly", "no", "--maxmemory-policy", "allkeys-lru"],
  ],
};

export function redisRole(role: RedisRole, env: Readonly<Record<string, string>>) {
  return { role, maxmemory: readStackSettings(env).maxmemory[role.name] };
}

const IMAGE = "valkey/valkey:8";

interface RedisStoreOptions extends StorePlace {
  readonly role: RedisRole;
  readonly maxmemory: number;
}

export async function startRedisStore(options: RedisStoreOptions, context: StackContext): Promise<SupervisedProcess> {
  const { dataDir, durable, role } = options;
  return await startStore({
    dataDir,
    store: role.name,
    durable,
    context,
    inContainer: (engine, volume) => startContainer(engine, redisContainer(options, volume), context),
    onThisMachine: () => startRedisServer(options, context),
  });
}

async function startRedisServer(options: RedisStoreOptions, context: StackContext): Promise<SupervisedProcess> {
  const { name } = options.role;
  const folder = join(options.dataDir, name);
  const program = await redisProgram(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const listen = ["--port", String(options.port), "--bind", "127.0.0.1", "--dir", folder];
  const url = `redis://127.0.0.1:${options.port}`;
  return await startProcess(
    {
      name,
      url,
      command: program,
      args: [...listen, ...redisArguments(options)],
      env: { PATH: searchPath() },
      log: options.log,
      serves: () => redisAnswers(url),
    },
    context,
  );
}

/** Enough for many test files, each with a numbered database of its own. */
const DATABASES = ["--databases", "1024"];

function redisArguments({ role, maxmemory }: Pick<RedisStoreOptions, "role" | "maxmemory">): string[] {
  return [...DATABASES, "--maxmemory", String(maxmemory), ...role.settings];
}

/** For Redis itself. Its data count twice, as Redis may need a copy of all that changes while it writes its file. */
const OVERHEAD_BYTES = 128 * 1024 ** 2;

export function redisContainer(options: RedisStoreOptions, volume: string | null): ContainerOptions {
  const { log, maxmemory, password, port, role } = options;
  return {
    name: role.name,
    image: IMAGE,
    port: 6379,
    hostPort: port,
    env: {},
    command: ["valkey-server", "--requirepass", password, ...redisArguments(options)],
    memoryBytes: 2 * maxmemory + OVERHEAD_BYTES,
    volume: volume === null ? null : { name: volume, target: "/data" },
    log,
    url: (host) => `redis://:${password}@${host}:${port}`,
    serves: redisAnswers,
  };
}

/** Whether the Redis at `url` serves; false while it still loads its file. Throws why there is no connection. */
async function redisAnswers(url: string): Promise<boolean> {
  return await ask(url, async (redis) => (await redis.ping()) === "PONG");
}

/** The same of one that was given, which may be a cluster: then whether one of its servers that answers finds it whole. */
export async function givenRedisAnswers(url: string): Promise<boolean> {
  const address = clusterAddress(url);
  if (!address) return await redisAnswers(url);
  const urls = address.hosts.map(({ host, port }) => serverUrl(address, host, port));
  const isWhole = async (redis: Redis) => String(await redis.cluster("INFO")).includes("cluster_state:ok");
  return await Promise.any(urls.map((server) => ask(server, isWhole)));
}

async function ask(url: string, question: (redis: Redis) => Promise<boolean>): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // The error of `connect` doesn't say why there is no connection; the event does.
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    return await question(redis);
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
