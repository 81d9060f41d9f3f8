import { randomBytes } from "node:crypto";
import { Cluster, Command } from "ioredis";
import { lastFailure, type Redis } from "./connection.ts";

/** No two processes write the same key. */
const PREFIX = `ready:${randomBytes(6).toString("base64url")}:`;
const LIFE_MS = 10_000;

/** Resolves if Redis, each server of a cluster, takes a write, as one that answers may be full. @throws why it doesn't */
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

/** That a connection is closed says less than why. */
function causeOf(cluster: Cluster, key: string, error: Error): string {
  if (error.name === "ReplyError") return error.message;
  try {
    return (lastFailure(serverOf(cluster, key)) ?? error).message;
  } catch {
    return error.message;
  }
}

async function takesWrite(redis: Redis, key: string): Promise<void> {
  await redis.set(key, "", "PX", LIFE_MS);
}

/** No server that we know has the key's slot, or there is no connection to it any more. */
class NoServer extends Error {
  override readonly name = "NoServer";
}

/** The connection to the server that has this key now. @throws {NoServer} */
function serverOf(redis: Redis, key: string): Redis {
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
function keyOfEachServer(cluster: Cluster, prefix: string): Map<string, string> {
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
