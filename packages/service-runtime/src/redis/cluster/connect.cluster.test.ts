import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { faultReason, isDefect } from "../../logging/faults.ts";
import { type RedisCluster, type RedisNode, startRedisCluster } from "../../testing/index.ts";
import { connectRedis, placeOf, type Redis, redisAnswers } from "../index.ts";

const SILENCE_MS = 300;

let cluster: RedisCluster;
let redis: Redis;
/** A key of each master, as the cluster is at the start. */
let keys: readonly string[];

beforeAll(async () => {
  cluster = await startRedisCluster({ masters: 3, replicas: 1, nodeTimeout: 500 });
  redis = await connected(cluster.url);
  keys = keysOfAllPlaces(redis);
});
// A busy machine has the servers take each other for lost, and promote a replica, at any time.
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
  for (let i = 0; found.size < 3; i++) found.set(placeOf(client, `key ${i}`), `key ${i}`);
  return [...found.values()];
}

const failure = (command: Promise<unknown>): Promise<Error> =>
  command.then(
    () => expect.unreachable("Redis answered"),
    (error: Error) => error,
  );

/** What is answered, and how long the longest answer took, while `happens` goes on; each key by itself, again and again. */
async function watched(happens: () => Promise<unknown>) {
  const seen = keys.map((key) => ({ key, answers: 0, failures: [] as Error[], longest: 0 }));
  let goesOn = true;
  const asking = seen.map(async (of) => {
    while (goesOn) {
      const begun = performance.now();
      await redis.incr(of.key).then(
        () => of.answers++,
        (error) => of.failures.push(error),
      );
      of.longest = Math.max(of.longest, performance.now() - begun);
      await sleep(1);
    }
  });
  await happens();
  goesOn = false;
  await Promise.all(asking);
  return seen;
}

const answers = (key: string) =>
  expect.poll(() => redis.incr(key).catch(() => null), { timeout: 15_000 }).not.toBeNull();

async function reads(node: RedisNode): Promise<number> {
  return Number(/total_reads_processed:(\d+)/.exec(String(await node.call("INFO", "stats")))?.[1]);
}

test("what one turn of the event loop asks of a server goes out in one write", async () => {
  const [key = ""] = keys;
  const node = await cluster.masterOf(key);
  await redis.incr(key);
  const before = await reads(node);
  await Promise.all(Array.from({ length: 50 }, () => redis.incr(key)));
  // The question itself is one more; and other nodes say something now and then.
  expect((await reads(node)) - before).toBeLessThan(10);
});

test("a connection that a request opens is not a part of that request", async () => {
  const request = new AsyncLocalStorage<string>();
  const openedFor: unknown[] = [];
  const client = connectRedis(cluster.url, "test", { silence: SILENCE_MS });
  client.on("+node", (server: Redis) => server.on("ready", () => openedFor.push(request.getStore())));
  await once(client, "ready");
  await request.run("a request", () => Promise.all(keys.map((key) => client.incr(key))));
  client.disconnect();
  expect(openedFor).toEqual([undefined, undefined, undefined]);
});

describe("while one master", () => {
  test("is stopped, its keys fail within the silence, then at once, and no other key fails; its replica takes its place", async () => {
    const [key = "", ...others] = keys;
    const node = await cluster.masterOf(key);
    const seen = await watched(async () => {
      await sleep(100);
      node.pause();
      await failure(redis.get(key));
      const begun = performance.now();
      const error = await failure(redis.get(key));
      expect([isDefect(error), faultReason(error), performance.now() - begun < 100]).toEqual([
        false,
        "redis_away",
        true,
      ]);
      await answers(key);
    });
    node.resume();
    await cluster.untilWhole();
    expect(seen[0]?.failures.map(faultReason)).toEqual(seen[0]?.failures.map(() => "redis_away"));
    expect(seen[0]?.longest).toBeLessThan(SILENCE_MS + 500);
    expect(seen.slice(1).map((of) => [of.key, of.failures])).toEqual(others.map((other) => [other, []]));
    await answers(key);
  });

  test("is killed, its keys fail at once, and no other key fails; its replica takes its place", async () => {
    const [, key = ""] = keys;
    const node = await cluster.masterOf(key);
    const seen = await watched(async () => {
      await sleep(100);
      await node.kill();
      await sleep(100);
      await answers(key);
    });
    expect(seen[1]?.failures.map(faultReason)).toEqual(seen[1]?.failures.map(() => "redis_away"));
    expect(seen[1]?.longest).toBeLessThan(SILENCE_MS);
    expect([seen[0]?.failures, seen[2]?.failures]).toEqual([[], []]);
  });
});

describe("while slots move", () => {
  test("with their keys, each key is answered, here or there", async () => {
    const [key = "", other = ""] = keys;
    const [from, to, slot] = [await cluster.masterOf(key), await cluster.masterOf(other), await cluster.slotOf(key)];
    await redis.set(`{${key}}x`, "1");
    const seen = await watched(async () => {
      await cluster.move.begin(slot, from, to);
      await sleep(50);
      expect(await redis.get(`{${key}}y`)).toBeNull();
      await cluster.move.keys(slot, from, to);
      await sleep(50);
      await cluster.move.end(slot, from, to);
      await sleep(50);
    });
    expect(seen.map(({ failures }) => failures)).toEqual([[], [], []]);
    expect(await redis.get(`{${key}}x`)).toBe("1");
    expect(placeOf(redis, key)).toBe(`127.0.0.1:${to.port}`);
    await cluster.moveSlots(to, from, [slot]);
  });

  test("to a server that is not there any more, the command fails, and nothing else does", async () => {
    const [key = "", other = "", third = ""] = keys;
    const [from, to, slot] = [await cluster.masterOf(key), await cluster.masterOf(other), await cluster.slotOf(key)];
    await cluster.move.begin(slot, from, to);
    to.pause();
    // Both the connection that is there and the next one await an answer.
    const errors = [await failure(redis.get(`{${key}}z`)), await failure(redis.get(`{${key}}z`))];
    expect(errors.map(faultReason)).toEqual(["redis_away", "redis_away"]);
    await redis.incr(third);
    to.resume();
    await from.call("CLUSTER", "SETSLOT", slot, "STABLE");
    await to.call("CLUSTER", "SETSLOT", slot, "STABLE");
    await cluster.untilWhole();
    await answers(other);
  });
});

describe("readiness", () => {
  test("is a write to each master: one that doesn't take it is named, with the reason", async () => {
    await redisAnswers(redis);
    const [key = ""] = keys;
    const node = await cluster.masterOf(key);
    await node.call("CONFIG", "SET", "maxmemory", "1");
    await expect(redisAnswers(redis)).rejects.toThrow(new RegExp(`^127.0.0.1:${node.port}: OOM [^;]*$`));
    await node.call("CONFIG", "SET", "maxmemory", "0");
    await redisAnswers(redis);
  });
});

test("all servers lost: commands fail at once, and work again when they are back", async () => {
  const nodes = cluster.nodes.filter(({ isRunning }) => isRunning);
  await Promise.all(nodes.map((node) => node.kill()));
  await sleep(200);
  const begun = performance.now();
  const errors = await Promise.all(keys.map((key) => failure(redis.incr(key))));
  expect(errors.map(faultReason)).toEqual(keys.map(() => "redis_away"));
  expect(performance.now() - begun).toBeLessThan(SILENCE_MS);
  await expect(redisAnswers(redis)).rejects.toThrow();
  await Promise.all(nodes.map((node) => node.start()));
  for (const key of keys) await answers(key);
  await redisAnswers(redis);
});
