import { randomUUID } from "node:crypto";
import { connectRedis, createLogger, type Redis } from "@partner-connect/service-runtime";
import { freshRedis, type TestRedis } from "@partner-connect/service-runtime/testing";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { OptionalRedis } from "../stores/optional-redis.ts";
import { RequestCounters } from "./request-counters.ts";

const WINDOW = 60_000;

let testRedis: TestRedis;
let redis: Redis;
const started: Replica[] = [];

beforeAll(async () => {
  testRedis = await freshRedis(process.env["TEST_REDIS_URL"]);
  redis = await connect();
});
afterAll(async () => {
  redis.disconnect();
  await testRedis.drop();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const replica of started.splice(0)) await replica.end();
});

/** What counts at one replica, on a connection of its own. */
interface Replica {
  readonly counters: RequestCounters;
  readonly attempts: { readonly mock: { readonly calls: unknown[] } };
  /** Calls at once. Returns how many were let through. */
  calls(caller: string, count: number): Promise<number>;
  /** What `x-ratelimit-remaining` says after one more call. */
  remaining(caller: string): Promise<number>;
  /** As by SIGTERM. */
  end(): Promise<void>;
  /** As by SIGKILL. */
  kill(): void;
}

async function connect(): Promise<Redis> {
  const connection = connectRedis(testRedis.url, "test");
  await new Promise<void>((resolve) => void connection.once("ready", () => resolve()));
  return connection;
}

async function replica(max: number): Promise<Replica> {
  const connection = await connect();
  const optional = new OptionalRedis(connection, createLogger("test", "silent"));
  const attempts = vi.spyOn(optional, "attempt");
  const counters = new RequestCounters(optional, { window: WINDOW, max });
  const made: Replica = {
    counters,
    attempts,
    async calls(caller, count) {
      const counts = await Promise.all(Array.from({ length: count }, () => counters.count(caller)));
      return counts.filter(({ current }) => current <= max).length;
    },
    remaining: async (caller) => Math.max(0, max - (await counters.count(caller)).current),
    async end() {
      await counters.close();
      connection.disconnect();
    },
    kill: () => connection.disconnect(),
  };
  started.push(made);
  return made;
}

async function replicas(count: number, max: number): Promise<Replica[]> {
  return await Promise.all(Array.from({ length: count }, () => replica(max)));
}

/** Lets the parts of all of them end, for the processes. */
async function partsEnd(all: readonly Replica[]): Promise<void> {
  vi.setSystemTime(Date.now() + 1001);
  await Promise.all(all.map(({ counters }) => counters.giveBackEnded()));
}

/** One call after the other, as fast as they are answered. Returns how many were let through. */
async function callsInTurn(at: Replica, caller: string, count: number): Promise<number> {
  let admitted = 0;
  for (let i = 0; i < count; i++) admitted += await at.calls(caller, 1);
  return admitted;
}

describe("over all replicas exactly as many calls as the limit are let through [limits.api-replicas]", () => {
  const burst = fc.record({
    at: fc.nat(3),
    calls: fc.integer({ min: 1, max: 120 }),
    afterwards: fc.constantFrom("another", "another", "parts end", "it ends"),
  });

  test("however the calls are spread, at once or one by one, and while replicas end", async () => {
    const schedules = fc.record({ max: fc.integer({ min: 1, max: 400 }), bursts: fc.array(burst, { maxLength: 8 }) });
    await fc.assert(
      fc.asyncProperty(schedules, async ({ max, bursts }) => {
        const caller = randomUUID();
        const all = await replicas(3, max);
        let admitted = 0;
        for (const { at, calls, afterwards } of bursts) {
          const chosen = all[at % all.length] as Replica;
          const counted = calls % 2 ? chosen.calls(caller, calls) : callsInTurn(chosen, caller, calls);
          if (afterwards === "parts end") await partsEnd(all);
          admitted += await waitFor(counted, all);
          if (afterwards !== "it ends") continue;
          await chosen.end();
          all[at % all.length] = await replica(max);
        }
        for (const each of all) admitted += await waitFor(each.calls(caller, max), all);
        expect(admitted).toBe(max);
        for (const each of all) expect(await each.calls(caller, 1)).toBe(0);
        for (const each of started.splice(0)) await each.end();
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  test("when all replicas are called at once, as fast as they can", async () => {
    const caller = randomUUID();
    const all = await replicas(4, 600);
    const admitted = await Promise.all(all.map((each) => callsInTurn(each, caller, 300)));
    expect(admitted.reduce((sum, count) => sum + count)).toBe(600);
    for (const each of all) expect(await each.remaining(caller)).toBe(0);
  });

  test("and a replica that is killed takes a sixteenth of them with it at most, until the window ends", async () => {
    const caller = randomUUID();
    const [killed, other] = (await replicas(2, 600)) as [Replica, Replica];
    expect(await callsInTurn(killed, caller, 100)).toBe(100);
    killed.kill();
    const admitted = 100 + (await other.calls(caller, 600));
    expect(admitted).toBeGreaterThanOrEqual(600 - 600 / 16);
    expect(admitted).toBeLessThan(600);
    await redis.pexpire(`api-rate:${caller}`, 1);
    vi.setSystemTime(Date.now() + WINDOW);
    await vi.waitFor(async () => expect(await redis.exists(`api-rate:${caller}`)).toBe(0));
    expect(await other.calls(caller, 601)).toBe(600);
  });
});

/** The result of `work`, during which parts end again and again. */
async function waitFor<T>(work: Promise<T>, all: readonly Replica[]): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 5))]);
    if (!isDone) await partsEnd(all);
  }
  return await done;
}

describe("a replica's part of an allowance", () => {
  test("spares Redis nearly all questions of a caller who calls often, far from the limit", async () => {
    const caller = randomUUID();
    const one = await replica(1_000_000);
    await callsInTurn(one, caller, 2000);
    expect(one.attempts.mock.calls.length).toBeLessThan(100);
    expect(await one.remaining(caller)).toBe(997_999);
  });

  test("is not there for a caller's first calls: the answers of all replicas tell what is left exactly", async () => {
    const caller = randomUUID();
    const [first, second] = (await replicas(2, 600)) as [Replica, Replica];
    for (let used = 1; used <= 60; used++) {
      expect(await (used % 2 ? first : second).remaining(caller)).toBe(600 - used);
    }
  });

  test("is not there for the last calls", async () => {
    const caller = randomUUID();
    const [first, second] = (await replicas(2, 200)) as [Replica, Replica];
    await callsInTurn(first, caller, 184);
    await partsEnd([first]);
    for (let left = 15; left >= 0; left--) {
      expect(await (left % 2 ? first : second).remaining(caller)).toBe(left);
    }
    expect(await second.calls(caller, 1)).toBe(0);
  });

  test("lets what is left fall by one with each call at one replica", async () => {
    const caller = randomUUID();
    const one = await replica(600);
    for (let left = 599; left >= 0; left--) expect(await one.remaining(caller)).toBe(left);
    expect(await one.calls(caller, 1)).toBe(0);
  });

  test("never lets a replica tell more than is left, as long as it alone is called", async () => {
    const caller = randomUUID();
    const [first, second] = (await replicas(2, 1000)) as [Replica, Replica];
    await callsInTurn(first, caller, 200);
    for (let used = 201; used <= 400; used++) expect(await second.remaining(caller)).toBeLessThanOrEqual(1000 - used);
  });

  test("is given back after a second, by itself", async () => {
    vi.useRealTimers();
    const caller = randomUUID();
    const one = await replica(600);
    await callsInTurn(one, caller, 100);
    expect(await count(caller)).toBeGreaterThan(100);
    await expect.poll(() => count(caller), { timeout: 3000 }).toBe(100);
    expect(await redis.exists(`api-rate-parts:{api-rate:${caller}}`)).toBe(0);
  });

  test("is given back when the replica ends", async () => {
    const caller = randomUUID();
    const one = await replica(600);
    await callsInTurn(one, caller, 100);
    expect(await count(caller)).toBeGreaterThan(100);
    await one.end();
    expect(await count(caller)).toBe(100);
  });

  test("refuses nobody at another replica: the call waits until it is given back", async () => {
    const caller = randomUUID();
    const [holder, other] = (await replicas(2, 600)) as [Replica, Replica];
    await callsInTurn(holder, caller, 100);
    const held = (await count(caller)) - 100;
    expect(held).toBeGreaterThan(0);
    expect(await other.calls(caller, 500 - held)).toBe(500 - held);
    const waiting = other.calls(caller, held);
    const refused = other.calls(caller, 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await partsEnd([holder]);
    expect([await waiting, await refused]).toEqual([held, 0]);
  });

  test("is void when its window is over", async () => {
    const caller = randomUUID();
    const [holder, other] = (await replicas(2, 600)) as [Replica, Replica];
    await callsInTurn(holder, caller, 100);
    await redis.pexpire(`api-rate:${caller}`, 1);
    await vi.waitFor(async () => expect(await redis.exists(`api-rate:${caller}`)).toBe(0));
    expect(await other.remaining(caller)).toBe(599);
    await holder.end();
    expect(await other.remaining(caller)).toBe(598);
  });
});

async function count(caller: string): Promise<number> {
  return Number(await redis.get(`api-rate:${caller}`));
}
