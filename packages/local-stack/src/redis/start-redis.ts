import { startByChoice } from "../containers/choose-engine.ts";
import { type ContainerOptions, startContainer } from "../containers/start-container.ts";
import type { Part, Watch } from "../processes/part.ts";
import { redisAnswers } from "./connection.ts";
import { type RedisOptions, redisArguments, startRedisServer } from "./redis-server.ts";

const IMAGE = "valkey/valkey:8";

export interface RedisPartOptions extends RedisOptions {
  /** Asked for by one in a container, as its port is open to the network. */
  readonly password: string;
  /** False: the data need not outlive it. */
  readonly durable: boolean;
}

/** Redis, empty or with the data that DATA_DIR has. */
export async function startRedisPart(options: RedisPartOptions, watch: Watch): Promise<Part> {
  const { dataDir, durable, role } = options;
  return await startByChoice({
    dataDir,
    store: role.name,
    durable,
    watch,
    inContainer: (engine, volume) => startContainer(engine, redisContainer(options, volume), watch),
    onThisMachine: () => startRedisServer(options, watch),
  });
}

/** While it writes its file, a Redis may need a copy of all that changes meanwhile. */
const ROOM_BYTES = 128 * 1024 ** 2;

export function redisContainer(options: RedisPartOptions, volume: string | null): ContainerOptions {
  const { log, maxmemory, password, port, role } = options;
  return {
    name: role.name,
    image: IMAGE,
    port: 6379,
    hostPort: port,
    env: {},
    command: ["valkey-server", "--requirepass", password, ...redisArguments(options)],
    memoryBytes: 2 * maxmemory + ROOM_BYTES,
    volume: volume === null ? null : { name: volume, target: "/data" },
    log,
    url: (host) => `redis://:${password}@${host}:${port}`,
    serves: redisAnswers,
  };
}
