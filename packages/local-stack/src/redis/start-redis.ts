import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { searchPath } from "../config.ts";
import { type ContainerOptions, startContainer } from "../containers/start-container.ts";
import { type StorePlace, startStore } from "../containers/start-store.ts";
import { startProcess } from "../processes/start-process.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import { redisAnswers } from "./redis-answers.ts";
import { redisProgram } from "./redis-program.ts";
import type { RedisRole } from "./redis-role.ts";

const IMAGE = "valkey/valkey:8";

interface RedisStoreOptions extends StorePlace {
  readonly role: RedisRole;
  /** Bytes of data. */
  readonly maxmemory: number;
}

/** Redis: empty, or with the data of DATA_DIR. */
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

/** A redis-server on this machine, with its data in DATA_DIR, in a folder of its role's name. */
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
