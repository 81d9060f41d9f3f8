import { afterAll } from "vitest";
import { connectRedis } from "../redis/connect-redis.ts";
import type { Redis } from "../redis/connection.ts";

/** A connection with the Redis of the test run (`TEST_REDIS_URL`), for the tests of a file. */
export async function suiteRedis(): Promise<Redis> {
  const redis = connectRedis(process.env["TEST_REDIS_URL"] ?? "", "test");
  afterAll(() => redis.disconnect());
  await untilReady(redis);
  return redis;
}

/** Waits for `ready`; unlike `once` of `node:events`, even after an attempt that fails. */
export async function untilReady(redis: Redis): Promise<void> {
  if (redis.status !== "ready")
    await new Promise<void>((resolve) => redis.once("ready", () => resolve()));
}
