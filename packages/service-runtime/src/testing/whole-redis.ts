import { Cluster } from "ioredis";
import type { Redis } from "../redis/index.ts";

/** Its keys, on whichever of its servers they are. */
export async function keysOf(redis: Redis, pattern = "*"): Promise<string[]> {
  return (await Promise.all(serversOf(redis).map((server) => server.keys(pattern)))).flat();
}

/** Removes those keys, each by itself, as they may be of several servers. Returns how many there were. */
export async function deleteKeys(redis: Redis, pattern: string): Promise<number> {
  const keys = await keysOf(redis, pattern);
  await Promise.all(keys.map((key) => redis.del(key)));
  return keys.length;
}

/** Removes all keys of the database, on whichever of its servers they are. */
export async function emptyRedis(redis: Redis): Promise<void> {
  await Promise.all(serversOf(redis).map((server) => server.flushdb()));
}

/** Of a cluster all masters: a command without a key would go to any of them. */
function serversOf(redis: Redis) {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}
