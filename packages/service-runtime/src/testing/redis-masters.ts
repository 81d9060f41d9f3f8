import { Cluster, Redis } from "ioredis";
import type { Redis as Connected } from "../redis/connection.ts";

/** Does `work` on each server of the store that takes writes: the one at `url`, or all masters of the cluster. */
export async function onEachMaster<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const master of await mastersOf(url)) {
    const redis = new Redis(master);
    found.push(await work(redis).finally(() => redis.disconnect()));
  }
  return found;
}

async function mastersOf(url: string): Promise<string[]> {
  const [, scheme, login = "", host] = /^(rediss?)\+cluster:\/\/([^@]*@)?([^/,]+)/.exec(url) ?? [];
  if (scheme === undefined) return [url];
  const redis = new Redis(`${scheme}://${login}${host}`);
  const nodes = String(await redis.cluster("NODES").finally(() => redis.disconnect()));
  const masters = nodes.split("\n").filter((line) => /\bmaster\b/.test(line) && !/fail|noaddr/.test(line));
  return masters.map((line) => `${scheme}://${login}${line.split(" ")[1]?.split("@")[0]}`);
}

/** The keys on all masters: a command without a key would go to any one. */
export async function keysOf(redis: Connected, pattern: string): Promise<string[]> {
  const masters = redis instanceof Cluster ? redis.nodes("master") : [redis];
  return (await Promise.all(masters.map((master) => master.keys(pattern)))).flat();
}
