import { Redis } from "ioredis";

/** What any Redis of this system runs with: an acknowledged write is on disk, and nothing is thrown away for room. */
export const DURABILITY = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"];

/** Room for many test files, each in a numbered database of its own. */
export const DATABASES = ["--databases", "1024"];

/** False while it still loads its file. */
export async function redisAnswers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // Only the event says why there is no connection.
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
