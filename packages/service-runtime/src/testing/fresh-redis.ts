import { Redis } from "ioredis";

export interface TestRedis {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * An empty numbered database of its own in the Redis that the test run started (`TEST_REDIS_URL`). A cluster has only one: there
 * it is shared, with what others put there.
 */
export async function freshRedis(serverUrl: string | undefined): Promise<TestRedis> {
  if (!serverUrl) throw new Error("TEST_REDIS_URL is not set: run the tests with `pnpm test`");
  if (isRedisCluster(serverUrl)) return { url: serverUrl, drop: async () => {} };
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
