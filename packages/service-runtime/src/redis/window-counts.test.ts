import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { suiteRedis } from "../testing/suite-redis.ts";
import { WindowCounts } from "./window-counts.ts";

const SECONDS = 60;

const redis = await suiteRedis();

const shared = () => new WindowCounts(SECONDS, { redis, prefix: "test" });

test("a call does not restart the window in which it is counted, and a new window follows", async () => {
  const [key, counts] = [randomUUID(), shared()];
  const first = await counts.add(key);
  expect(first.current).toBe(1);
  expect(first.ttl).toBeGreaterThan(SECONDS * 1000 - 10_000);
  await redis.pexpire(`test:${key}`, 20_000);
  const { current, ttl } = await counts.add(key);
  expect(current).toBe(2);
  expect(ttl).toBeLessThanOrEqual(20_000);
  await redis.pexpire(`test:${key}`, 1);
  await expect.poll(() => redis.exists(`test:${key}`)).toBe(0);
  expect((await counts.add(key)).current).toBe(1);
});

test("parallel calls at several replicas share one count", async () => {
  const [key, one, other] = [randomUUID(), shared(), shared()];
  const counted = await Promise.all(
    Array.from({ length: 100 }, (_, n) => (n % 2 ? one : other).add(key)),
  );
  expect(counted.map(({ current }) => current).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 1),
  );
});

test("a counted call can be taken back, and a key's count deleted", async () => {
  const [key, counts] = [randomUUID(), shared()];
  await counts.add(key);
  await counts.takeBack(key);
  expect((await counts.add(key)).current).toBe(1);
  await counts.forget(key);
  expect((await counts.add(key)).current).toBe(1);
});

test("without Redis each process counts separately, in the same windows", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const counts = new WindowCounts(SECONDS);
  expect(
    (await Promise.all(["a", "a", "b", "a"].map((key) => counts.add(key)))).map((c) => c.current),
  ).toEqual([1, 2, 1, 3]);
  vi.setSystemTime(Date.now() + 45_000);
  expect(await counts.add("a")).toEqual({ current: 4, ttl: 15_000 });
  vi.setSystemTime(Date.now() + 15_000);
  expect((await counts.add("a")).current).toBe(1);
});
