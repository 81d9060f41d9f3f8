import { Cluster, Command } from "ioredis";
import type { Redis } from "../redis.ts";

/** No server that we know has the key's slot, or there is no connection to it any more. */
class NoServer extends Error {
  override readonly name = "NoServer";
}

/** The connection to the server that has this key now. @throws {NoServer} */
export function serverOf(redis: Redis, key: string): Redis {
  if (!(redis instanceof Cluster)) return redis;
  const address = placeOf(redis, key);
  const server = redis.nodes().find(({ options }) => `${options.host}:${options.port}` === address);
  if (!server) throw new NoServer("no server of the Redis Cluster has this key");
  return server;
}

/** Which server has the key now: `host:port`, or empty where nobody has it. One server has all. */
export function placeOf(redis: Redis, key: string): string {
  if (!(redis instanceof Cluster)) return "";
  return redis.slots[new Command("get", [key]).getSlot()]?.[0] ?? "";
}

/** For each server that has slots: its address, and a key of it, which begins with `prefix`. */
export function keyOfEachServer(cluster: Cluster, prefix: string): Map<string, string> {
  const addresses = new Set(cluster.slots.map(([master = ""]) => master));
  const keys = new Map<string, string>();
  for (let number = 0; keys.size < addresses.size && number < MOST_TRIES; number++) {
    const key = `${prefix}${number}`;
    const address = placeOf(cluster, key);
    if (!keys.has(address)) keys.set(address, key);
  }
  return keys;
}

/** A server with a few slots in a hundred thousand would not be found. */
const MOST_TRIES = 10_000;
