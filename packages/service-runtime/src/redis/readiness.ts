import { randomBytes } from "node:crypto";
import { Cluster, Command } from "ioredis";
import { lastFailure, type Redis } from "./connection.ts";

/** Prefix of the keys that the check writes; unique per process. */
const PREFIX = `ready:${randomBytes(6).toString("base64url")}:`;
const LIFE_MS = 10_000;
/** Keys tried to find one for each node; a node with very few slots may be missed. */
const MOST_TRIES = 10_000;

/**
 * Resolves if Redis, and each node of a cluster, accepts a write. (A full one answers reads.)
 * @throws the error
 */
export async function requireRedis(redis: Redis): Promise<void> {
  if (redis.status !== "ready")
    throw lastFailure(redis) ?? new Error(`no connection yet (${redis.status})`);
  const write = (key: string) => redis.set(key, "", "PX", LIFE_MS);
  if (!(redis instanceof Cluster)) return void (await write(`${PREFIX}0`));
  const causes: string[] = [];
  const note = (address: string, error: Error): void => {
    // ioredis reports 'Connection is closed'; the client of that node has the network error.
    const server = redis
      .nodes()
      .find(({ options }) => `${options.host}:${options.port}` === address);
    const cause = (error.name !== "ReplyError" && server && lastFailure(server)) || error;
    causes.push(`${address || "slots without a node"}: ${cause.message}`);
  };
  const keys = [...keyOfEachServer(redis)];
  await Promise.all(
    keys.map(([address, key]) => write(key).catch((error) => note(address, error))),
  );
  if (causes.length > 0) throw new Error(causes.join("; "));
}

/**
 * The node that has the key, as `host:port`, or empty if there is none. A single server has all
 * keys.
 */
export function nodeOf(redis: Redis, key: string): string {
  if (!(redis instanceof Cluster)) return "";
  return redis.slots[new Command("get", [key]).getSlot()]?.[0] ?? "";
}

/** Returns, by address, a key in the slots of each node. */
function keyOfEachServer(cluster: Cluster): Map<string, string> {
  const addresses = new Set(cluster.slots.map(([master = ""]) => master));
  const keys = new Map<string, string>();
  for (let number = 0; keys.size < addresses.size && number < MOST_TRIES; number++) {
    const key = `${PREFIX}${number}`;
    const address = nodeOf(cluster, key);
    if (!keys.has(address)) keys.set(address, key);
  }
  return keys;
}
