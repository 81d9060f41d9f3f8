import { connectRedis } from "../redis/connect-redis.ts";
import type { Redis } from "../redis/connection.ts";
import { untilReady } from "./suite-redis.ts";

const mastersOf = (redis: Redis): Redis[] => redis.nodes?.("master") ?? [redis];

/** Does `work` on each server that takes writes: the one at `url`, or a cluster's masters. */
export async function onEachMaster<T>(
  url: string,
  work: (redis: Redis) => Promise<T>,
): Promise<T[]> {
  const redis = connectRedis(url, "test");
  await untilReady(redis);
  return await Promise.all(mastersOf(redis).map(work)).finally(() => redis.disconnect());
}

/** The keys on all masters: a command without a key would go to any one. */
export async function keysOf(redis: Redis, pattern: string): Promise<string[]> {
  return (await Promise.all(mastersOf(redis).map((master) => master.keys(pattern)))).flat();
}
