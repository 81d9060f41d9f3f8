import { type ContainerOptions, startContainer } from "../containers/start-container.ts";
import { startStore } from "../containers/start-store.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import { redisAnswers } from "./redis-answers.ts";
import { type RedisOptions, redisArguments, startRedisServer } from "./redis-server.ts";

const IMAGE = "valkey/valkey:8";

export interface RedisStoreOptions extends RedisOptions {
  /** Needed in a container, whose port is open to the network. */
  readonly password: string;
  /** False: the data need not outlive it. */
  readonly durable: boolean;
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
