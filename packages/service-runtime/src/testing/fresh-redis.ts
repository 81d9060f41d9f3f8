import { Redis } from "ioredis";
import { startRedisCluster } from "./redis-cluster.ts";

/** A busy machine may stop a node for seconds, which must not count as a failure. */
const NODE_TIMEOUT_MS = 15_000;

export type TestRedis = Awaited<ReturnType<typeof freshRedis>>;

/** An empty database in the run's Redis, or a new small cluster, because a cluster has only one. */
export async function freshRedis(serverUrl: string | undefined) {
  if (!serverUrl) throw new Error("TEST_REDIS_URL is not set: run the tests with `pnpm test`");
  if (isRedisCluster(serverUrl)) {
    const cluster = await startRedisCluster({ replicas: 0, nodeTimeout: NODE_TIMEOUT_MS });
    return { url: cluster.url, drop: () => cluster.stop() };
  }
  const server = new Redis(serverUrl);
  const number = await server.incr("test databases");
  server.disconnect();
  const url = `${serverUrl}/${number}`;
  return {
    url,
    async drop() {
      const redis = new Redis(url);
      await redis.flushdb();
      redis.disconnect();
    },
  };
}

export function isRedisCluster(url: string | undefined): boolean {
  return /^rediss?\+cluster:/.test(url ?? "");
}
