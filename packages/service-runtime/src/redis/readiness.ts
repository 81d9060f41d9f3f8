import { randomBytes } from "node:crypto";
import { Cluster } from "ioredis";
import { keyOfEachServer, serverOf } from "./cluster/server-of.ts";
import { lastFailure, type Redis } from "./redis.ts";

/** No two processes write the same key. */
const PREFIX = `ready:${randomBytes(6).toString("base64url")}:`;
const LIFE_MS = 10_000;

/** Resolves if Redis, each server of a cluster, takes a write, as one that answers may be full. Rejects with why not. */
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
