import { clusterAddress, serverUrl } from "@partner-connect/service-runtime/environment";
import { Redis } from "ioredis";

/** Whether the Redis at `url` serves; false while it still loads its file. Throws why there is no connection. */
export async function redisAnswers(url: string): Promise<boolean> {
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
