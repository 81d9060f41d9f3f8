import type { Redis } from "ioredis";

/** Why the connection last failed. */
const failures = new WeakMap<Redis, Error>();

export function noteFailure(redis: Redis, error: Error): void {
  failures.set(redis, error);
}

/** Resolves if Redis answers. Rejects with why not: while there is no connection, with what ended the last one. */
export async function redisAnswers(redis: Redis): Promise<void> {
  if (redis.status !== "ready") throw failures.get(redis) ?? new Error(`no connection yet (${redis.status})`);
  await redis.ping();
}
