import { Cluster } from "ioredis";
import type { Redis } from "../redis/connection.ts";

/** Its keys, on all of its servers. */
export async function keysOf(redis: Redis, pattern = "*"): Promise<string[]> {
  return (await Promise.all(serversOf(redis).map((server) => server.keys(pattern)))).flat();
}

/** All masters of a cluster: a command without a key would go to any one. */
function serversOf(redis: Redis) {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}
