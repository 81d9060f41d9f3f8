import { randomBytes } from "node:crypto";
import { Cluster, Command } from "ioredis";
import { lastFailure, type Redis } from "./connection.ts";

/** Unique per process. */
const PREFIX = `ready:${randomBytes(6).toString("base64url")}:`;
const LIFE_MS = 10_000;
/** Limits the random keys tried; a node with very few slots may be missed. */
const MOST_TRIES = 10_000;

/** Resolves if Redis, and each node of a cluster, accepts a write: one that answers may be full. @throws the error */
export async function redisAnswers(redis: Redis): Promise<void> {
  if (redis.status !== "ready") throw lastFailure(redis) ?? new Error(`no connection yet (${redis.status})`);
  if (redis instanceof Cluster) await clusterAnswers(redis);
  else await takesWrite(redis, `${PREFIX}0`);
}

async function clusterAnswers(cluster: Cluster): Promise<void> {
  const servers = [...keyOfEachServer(cluster, PREFIX)];
  const answers = await Promise.allSettled(servers.map(([, key]) => takesWrite(cluster, key)));
  const causes = answers.flatMap((answer, index) => {
    if (answer.status === "fulfilled") return [];
    const [address, key] = servers[index] ?? [];
    return [`${address || "slots of nobody"}: ${causeOf(cluster, key ?? "", answer.reason)}`];
  });
  if (causes.length > 0) throw new Error(causes.join("; "));
}

/** Finds the cause behind 'connection is closed'. */
function causeOf(cluster: Cluster, key: string, error: Error): string {
  const address = nodeOf(cluster, key);
  const server = cluster.nodes().find(({ options }) => `${options.host}:${options.port}` === address);
  return ((error.name !== "ReplyError" && server && lastFailure(server)) || error).message;
}

async function takesWrite(redis: Redis, key: string): Promise<void> {
  await redis.set(key, "", "PX", LIFE_MS);
}

/** The node that has the key, as `host:port`, or empty if there is none. A single server has all keys. */
export function nodeOf(redis: Redis, key: string): string {
  if (!(redis instanceof Cluster)) return "";
  return redis.slots[new Command("get", [key]).getSlot()]?.[0] ?? "";
}

/** Returns, by address, a key in the slots of each node, which begins with `prefix`. */
function keyOfEachServer(cluster: Cluster, prefix: string): Map<string, string> {
  const addresses = new Set(cluster.slots.map(([master = ""]) => master));
  const keys = new Map<string, string>();
  for (let number = 0; keys.size < addresses.size && number < MOST_TRIES; number++) {
    const key = `${prefix}${number}`;
    const address = nodeOf(cluster, key);
    if (!keys.has(address)) keys.set(address, key);
  }
  return keys;
}
