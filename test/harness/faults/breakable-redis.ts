import {
  isRedisCluster,
  onEachMaster,
  ownRedis,
  type RedisClusterOptions,
  type RedisProcess,
  startRedisCluster,
} from "@partner-connect/service-runtime/testing";

/** Syncs each write to the disk. A node that is stopped for seconds doesn't count as failed. */
export const PATIENT_CLUSTER: RedisClusterOptions = { durable: true, nodeTimeout: 15_000 };

export type BreakableRedis = Awaited<ReturnType<typeof breakableRedis>>;

/** Starts a test's own Redis on disk: one server, or a cluster that fails as a whole. */
export async function breakableRedis() {
  const isCluster = isRedisCluster(process.env["TEST_REDIS_URL"]);
  const store = isCluster
    ? await startRedisCluster(PATIENT_CLUSTER)
    : await ownRedis({ durable: true });
  const servers: readonly RedisProcess[] = "nodes" in store ? store.nodes : [store];
  const all = async (act: (server: RedisProcess) => unknown) =>
    void (await Promise.all(servers.map(act)));
  /** Kills Redis, which then refuses connections until {@link start}. */
  const stop = () => all((server) => server.kill());
  const start = () => all((server) => server.start());
  return {
    url: store.url,
    stop,
    start,
    /** Kills Redis (`kill -9`), and starts it again with its data. */
    async kill(): Promise<void> {
      await stop();
      await start();
    },
    /** Suspends Redis (SIGSTOP), which then accepts connections and doesn't respond. */
    pause: () => all((server) => server.pause()),
    resume: () => all((server) => server.resume()),
    /** Sends a command to every server that accepts writes. */
    command: (name: string, ...args: readonly string[]) =>
      onEachMaster(store.url, (redis) => redis.call(name, ...args)),
    remove: () => store.stop(),
  };
}
