import { randomUUID } from "node:crypto";
import { connectRedis, createLogger, type Redis } from "@partner-connect/service-runtime";
import { type OwnRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { OptionalRedis } from "../stores/optional-redis.ts";
import { RequestCounters } from "./request-counters.ts";

const WINDOW = 60_000;
/** Of tests that wait for its end. */
const SHORT_WINDOW = 4000;
/** Longer than Redis takes on a busy machine: each count is exact only while it answers. */
const SILENCE = 10_000;
const HOUR = 3_600_000;

let server: OwnRedis;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await ownRedis();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0)) await end();
});
afterAll(() => server.stop());

interface Replica {
  /** One call after the other. Returns how many were let through. */
  calls(caller: string, count: number): Promise<number>;
  /** As many at once. */
  atOnce(caller: string, count: number): Promise<number>;
  /** Milliseconds after which the count begins anew, by one more call. */
  wait(caller: string): Promise<number>;
  /** Returns once it has asked Redis again. */
  hasRedis(): Promise<void>;
}

async function replica(max: number, window = WINDOW): Promise<Replica> {
  const redis = connectRedis(server.url, "test", { silence: SILENCE });
  await new Promise<void>((resolve) => void redis.once("ready", () => resolve()));
  const optional = new OptionalRedis(redis, createLogger("test", "silent"));
  const counters = new RequestCounters(optional, { window, max });
  ends.push(async () => redis.disconnect());
  return {
    async calls(caller, count) {
      let admitted = 0;
      for (let i = 0; i < count; i++) if ((await counters.count(caller)).current <= max) admitted++;
      return admitted;
    },
    async atOnce(caller, count) {
      const counts = await Promise.all(Array.from({ length: count }, () => counters.count(caller)));
      return counts.filter(({ current }) => current <= max).length;
    },
    wait: async (caller) => (await counters.count(caller)).ttl,
    hasRedis: async () => {
      const asked = async () => typeof (await optional.attempt("x", (connection: Redis) => connection.ping()));
      await expect.poll(asked, { timeout: 10_000 }).toBe("string");
    },
  };
}

async function replicas(count: number, max: number): Promise<[Replica, Replica, Replica]> {
  return (await Promise.all(Array.from({ length: count }, () => replica(max)))) as [Replica, Replica, Replica];
}

/** Calls that go round the replicas. Returns how many were let through. */
async function inTurn(all: readonly Replica[], caller: string, count: number): Promise<number> {
  let admitted = 0;
  for (let i = 0; i < count; i++) admitted += (await all[i % all.length]?.calls(caller, 1)) ?? 0;
  return admitted;
}

/** A call is refused; a machine that is so busy that the window is over says nothing about that. */
async function refusedWithin(begin: number, at: Replica, caller: string): Promise<void> {
  const admitted = await at.calls(caller, 1);
  if (performance.now() - begin < SHORT_WINDOW) expect(admitted).toBe(0);
}

/** Until a call is let through: one that is made a window later is. `vi.waitFor` and the like go by `Date`. */
async function untilLetThrough(at: Replica, caller: string): Promise<void> {
  const begin = performance.now();
  for (let called = begin; (await at.calls(caller, 1)) === 0; called = performance.now()) {
    expect(called - begin).toBeLessThan(SHORT_WINDOW + 100);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const restarted = async (all: readonly Replica[]): Promise<void> => {
  await server.killAndRestart();
  for (const each of all) await each.hasRedis();
};

describe("a Redis that was emptied", () => {
  test("gives a caller no new window: what each replica has seen of it is counted", async () => {
    const caller = randomUUID();
    const all = await replicas(3, 90);
    expect(await inTurn(all, caller, 60)).toBe(60);
    await restarted(all);
    // Of the last round, the first replica to call has not seen the other two calls.
    const admitted = await inTurn(all, caller, 300);
    expect(admitted).toBeGreaterThanOrEqual(30);
    expect(admitted).toBeLessThanOrEqual(32);
  });

  test("gives it the rest of its window only, as long as that lasts", async () => {
    const caller = randomUUID();
    const [one, other] = [await replica(20, SHORT_WINDOW), await replica(20, SHORT_WINDOW)];
    const begin = performance.now();
    expect(await one.calls(caller, 20)).toBe(20);
    await server.command("FLUSHALL");
    expect(await other.calls(caller, 1)).toBe(1);
    await refusedWithin(begin, one, caller);
    await untilLetThrough(one, caller);
  });

  test("as one that has lost its last seconds: the greater count is right", async () => {
    const caller = randomUUID();
    const one = await replica(100);
    expect(await one.calls(caller, 30)).toBe(30);
    await server.command("SET", `api-rate:${caller}`, "5", "PX", "60000");
    expect(await one.calls(caller, 100)).toBe(70);
  });
});

describe("a Redis that is away", () => {
  test("leaves each replica what it knew was left, and those calls are counted when it is back", async () => {
    const caller = randomUUID();
    const [first, second] = await replicas(2, 100);
    expect(await inTurn([first, second], caller, 20)).toBe(20);
    await server.kill();
    expect(await first.calls(caller, 10)).toBe(10);
    expect(await second.calls(caller, 15)).toBe(15);
    await server.start();
    for (const each of [first, second]) await each.hasRedis();
    const admitted = 45 + (await inTurn([first, second], caller, 200));
    expect(admitted).toBeGreaterThanOrEqual(100);
    expect(admitted).toBeLessThanOrEqual(102);
  });

  test("is told of a replica's calls once, however many come at once when it is back", async () => {
    const caller = randomUUID();
    const one = await replica(100);
    await server.kill();
    expect(await one.calls(caller, 20)).toBe(20);
    await server.start();
    await one.hasRedis();
    expect(await one.atOnce(caller, 100)).toBe(80);
    expect(await server.command("GET", `api-rate:${caller}`)).toContain("101");
  });

  test("refuses what was refused before, until the window ends", async () => {
    const caller = randomUUID();
    const [first, second] = await replicas(2, 10);
    expect(await inTurn([first, second], caller, 9)).toBe(9);
    await server.kill();
    // The second replica has not seen the ninth call, so it knows of two more.
    expect([await first.calls(caller, 20), await second.calls(caller, 20)]).toEqual([1, 2]);
    await server.start();
    for (const each of [first, second]) await each.hasRedis();
    expect(await inTurn([first, second], caller, 20)).toBe(0);
  });
});

describe("a clock that is set back by an hour", () => {
  test("at a replica: a caller waits for the rest of its window and no longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const caller = randomUUID();
    const one = await replica(3, SHORT_WINDOW);
    const begin = performance.now();
    expect(await one.calls(caller, 5)).toBe(3);
    vi.setSystemTime(Date.now() - HOUR);
    expect(await one.wait(caller)).toBeLessThanOrEqual(SHORT_WINDOW);
    await refusedWithin(begin, one, caller);
    await untilLetThrough(one, caller);
  });

  test("at a replica that counts alone: too", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const caller = randomUUID();
    const one = await replica(3, SHORT_WINDOW);
    await server.kill();
    expect(await one.calls(caller, 5)).toBe(3);
    vi.setSystemTime(Date.now() - HOUR);
    expect(await one.wait(caller)).toBeLessThanOrEqual(SHORT_WINDOW);
    await untilLetThrough(one, caller);
    await server.start();
  });

  test("at Redis, whose keys then live for an hour more: a caller waits for a window at most", async () => {
    const caller = randomUUID();
    const one = await replica(3, SHORT_WINDOW);
    const begin = performance.now();
    expect(await one.calls(caller, 2)).toBe(2);
    // Redis keeps the moment at which a key ends, by its wall clock.
    await server.command("PEXPIRE", `api-rate:${caller}`, String(HOUR));
    expect(await one.wait(caller)).toBeLessThanOrEqual(SHORT_WINDOW);
    await refusedWithin(begin, one, caller);
    const stranger = await replica(3, SHORT_WINDOW);
    await server.command("PEXPIRE", `api-rate:${caller}`, String(HOUR));
    expect(await stranger.wait(caller)).toBeLessThanOrEqual(SHORT_WINDOW);
    await untilLetThrough(stranger, caller);
  });
});
