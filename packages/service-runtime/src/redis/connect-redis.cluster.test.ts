import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { faultReason, isDefect } from "../logging/faults.ts";
import { type RedisCluster, startRedisCluster } from "../testing/index.ts";
import { connectRedis } from "./connect-redis.ts";
import type { Redis } from "./connection.ts";
import { nodeOf, requireRedis } from "./readiness.ts";

const SILENCE_MS = 300;

let cluster: RedisCluster;
let redis: Redis;
/** A key of each master, as the cluster is at the start. */
let keys: readonly string[];

beforeAll(async () => {
  cluster = await startRedisCluster({ nodeTimeout: 500 });
  redis = await connected(cluster.url);
  keys = keysOfAllPlaces(redis);
});
// On a busy machine the servers may consider each other lost, and promote a replica.
beforeEach(() => cluster.untilWhole(), 35_000);
afterAll(async () => {
  redis?.disconnect();
  await cluster?.stop();
});

async function connected(url: string): Promise<Redis> {
  const client = connectRedis(url, "test", { silence: SILENCE_MS });
  await once(client, "ready");
  return client;
}

function keysOfAllPlaces(client: Redis): string[] {
  const found = new Map<string, string>();
  for (let i = 0; found.size < 3; i++) found.set(nodeOf(client, `key ${i}`), `key ${i}`);
  return [...found.values()];
}

const failure = (command: Promise<unknown>): Promise<Error> =>
  command.then(
    () => expect.unreachable("Redis answered"),
    (error: Error) => error,
  );

const answers = (key: string) =>
  expect.poll(() => redis.incr(key).catch(() => null), { timeout: 15_000 }).not.toBeNull();

test("while a master is stopped, only commands for its keys fail, and only until its replica is promoted", async () => {
  const [key = "", ...others] = keys;
  const node = await cluster.masterOf(key);
  node.pause();
  const error = await failure(redis.get(key));
  expect([isDefect(error), faultReason(error)]).toEqual([false, "redis_away"]);
  for (const other of others) await redis.incr(other);
  await answers(key);
  node.resume();
  await cluster.untilWhole();
  await answers(key);
});

test("the readiness check fails with the reason if a master refuses writes", async () => {
  await requireRedis(redis);
  const [key = ""] = keys;
  const node = await cluster.masterOf(key);
  await node.call("CONFIG", "SET", "maxmemory", "1");
  await expect(requireRedis(redis)).rejects.toThrow(
    new RegExp(`^127.0.0.1:${node.port}: OOM [^;]*$`),
  );
  await node.call("CONFIG", "SET", "maxmemory", "0");
  await requireRedis(redis);
});

test("commands fail while all servers are lost, and succeed once the servers are back", async () => {
  const nodes = cluster.nodes.filter((node) => node.isRunning());
  await Promise.all(nodes.map((node) => node.kill()));
  const errors = await Promise.all(keys.map((key) => failure(redis.incr(key))));
  expect(errors.map(faultReason)).toEqual(keys.map(() => "redis_away"));
  await expect(requireRedis(redis)).rejects.toThrow();
  await Promise.all(nodes.map((node) => node.start()));
  for (const key of keys) await answers(key);
  await requireRedis(redis);
});
