import { startByChoice } from "../containers/choose-engine.ts";
import { startContainer } from "../containers/start-container.ts";
import type { Part, Watch } from "../processes/part.ts";
import { DATABASES, redisAnswers } from "./connection.ts";
import { type RedisOptions, startRedisServer } from "./redis-server.ts";

const IMAGE = "valkey/valkey:8";

export interface RedisPartOptions extends RedisOptions {
  /** Asked for by one in a container, as its port is open to the network. */
  readonly password: string;
  /** False: the data need not outlive it. */
  readonly durable: boolean;
}

/** Redis, empty or with the data that DATA_DIR has. */
export async function startRedisPart(options: RedisPartOptions, watch: Watch): Promise<Part> {
  const { dataDir, durable, log, password, port, role } = options;
  return await startByChoice({
    dataDir,
    store: role.name,
    durable,
    watch,
    inContainer: (engine, volume) =>
      startContainer(
        engine,
        {
          name: role.name,
          image: IMAGE,
          port: 6379,
          hostPort: port,
          env: {},
          command: ["valkey-server", "--requirepass", password, ...DATABASES, ...role.settings],
          volume: volume === null ? null : { name: volume, target: "/data" },
          log,
          url: (host) => `redis://:${password}@${host}:${port}`,
          serves: redisAnswers,
        },
        watch,
      ),
    onThisMachine: () => startRedisServer(options, watch),
  });
}
