import { randomUUID } from "node:crypto";
import { connectRedis, createLogger, type Redis } from "@partner-connect/service-runtime";
import { freshRedis, type TestRedis } from "@partner-connect/service-runtime/testing";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { OptionalRedis } from "../stores/optional-redis.ts";
import { RequestCounters } from "./request-counters.ts";

const WINDOW = 60_000;
/** Longer than Redis takes on a busy machine: each count is exact only while it answers. */
const SILENCE = 10_000;

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
afterEach(() => {
  vi.useRealTimers();
  for (const replica of started.splice(0)) replica.kill();
});

/** What counts at one replica, on a connection of its own. */
interface Replica {
  readonly attempts: { readonly mock: { readonly calls: unknown[] } };
  /** Calls at once. Returns how many were let through. */
  calls(caller: string, count: number): Promise<number>;
  /** What `x-ratelimit-remaining` says after one more call. */
  remaining(caller: string): Promise<number>;
  /** As by SIGKILL. */
  kill(): void;
}

async function connect(): Promise<Redis> {
  const connection = connectRedis(testRedis.url, "test", { silence: SILENCE });
  await new Promise<void>((resolve) => void connection.once("ready", () => resolve()));
  return connection;
}

async function replica(max: number): Promise<Replica> {
  const connection = await connect();
  const optional = new OptionalRedis(connection, createLogger("test", "silent"));
  const attempts = vi.spyOn(optional, "attempt");
  const counters = new RequestCounters(optional, { window: WINDOW, max });
  const made: Replica = {
    attempts,
    async calls(caller, count) {
      const counts = await Promise.all(Array.from({ length: count }, () => counters.count(caller)));
      return counts.filter(({ current }) => current <= max).length;
    },
    remaining: async (caller) => Math.max(0, max - (await counters.count(caller)).current),
    kill: () => connection.disconnect(),
  };
  started.push(made);
  return made;
}

async function replicas(count: number, max: number): Promise<Replica[]> {
  return await Promise.all(Array.from({ length: count }, () => replica(max)));
}

/** One call after the other, as fast as they are answered. Returns how many were let through. */
async function callsInTurn(at: Replica, caller: string, count: number): Promise<number> {
  let admitted = 0;
  for (let i = 0; i < count; i++) admitted += await at.calls(caller, 1);
  return admitted;
}

describe("over all replicas exactly as many calls as the limit are let through", () => {
  const burst = fc.record({
    at: fc.nat(3),
    calls: fc.integer({ min: 1, max: 120 }),
    afterwards: fc.constantFrom("another", "another", "it is killed"),
  });

  test("however the calls are spread, at once or one by one, and while replicas are killed", async () => {
    const schedules = fc.record({ max: fc.integer({ min: 1, max: 400 }), bursts: fc.array(burst, { maxLength: 8 }) });
    await fc.assert(
      fc.asyncProperty(schedules, async ({ max, bursts }) => {
        const caller = randomUUID();
        const all = await replicas(3, max);
        let admitted = 0;
        for (const { at, calls, afterwards } of bursts) {
          const chosen = all[at % all.length] as Replica;
          admitted += await (calls % 2 ? chosen.calls(caller, calls) : callsInTurn(chosen, caller, calls));
          if (afterwards !== "it is killed") continue;
          chosen.kill();
          all[at % all.length] = await replica(max);
        }
        for (const each of all) admitted += await each.calls(caller, max);
        expect(admitted).toBe(max);
        for (const each of all) expect(await each.calls(caller, 1)).toBe(0);
        for (const each of started.splice(0)) each.kill();
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

  test("and again as many when the window is over", async () => {
    const caller = randomUUID();
    const [first, second] = (await replicas(2, 600)) as [Replica, Replica];
    expect([await first.calls(caller, 400), await second.calls(caller, 400)]).toEqual([400, 200]);
    await redis.pexpire(`api-rate:${caller}`, 1);
    vi.setSystemTime(Date.now() + WINDOW);
    await expect.poll(() => redis.exists(`api-rate:${caller}`)).toBe(0);
    expect(await second.calls(caller, 601)).toBe(600);
  });
});

describe("a caller's count", () => {
  test("is exact in every answer of every replica", async () => {
    const caller = randomUUID();
    const [first, second] = (await replicas(2, 60)) as [Replica, Replica];
    for (let left = 59; left >= 0; left--) expect(await (left % 2 ? first : second).remaining(caller)).toBe(left);
    expect([await first.calls(caller, 1), await second.calls(caller, 1)]).toEqual([0, 0]);
  });

  test("costs Redis nothing more once the limit is reached", async () => {
    const caller = randomUUID();
    const one = await replica(10);
    expect(await one.calls(caller, 20)).toBe(10);
    const { length } = one.attempts.mock.calls;
    expect(await one.calls(caller, 100)).toBe(0);
    expect(one.attempts.mock.calls.length).toBe(length);
    expect(await redis.get(`api-rate:${caller}`)).toBe("11");
  });
});
