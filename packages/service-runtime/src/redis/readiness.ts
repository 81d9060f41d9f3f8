import { randomBytes } from "node:crypto";
import { Cluster } from "ioredis";
import { keyOfEachServer, serverOf } from "./cluster/server-of.ts";
import { lastFailure, type Redis } from "./redis.ts";

/** No two processes write the same key. */
const PREFIX = `ready:${randomBytes(6).toString("base64url")}:`;
const LIFE_MS = 10_000;

/**
 * Resolves if Redis takes a write: each server of a cluster. Rejects with why not: while there is no connection, with what ended the last
 * one. A server that only answers is not enough: it may be full, or have no slots, so that every command is refused.
 */
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
