import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { suiteRedis } from "../testing/suite-redis.ts";
import { WindowCounts } from "./window-counts.ts";

const SECONDS = 60;

const redis = await suiteRedis();

const shared = () => new WindowCounts(SECONDS, { redis, prefix: "test" });

test("a request doesn't extend the window in which it is counted", async () => {
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

test("parallel requests to several replicas share one count", async () => {
  const [key, one, other] = [randomUUID(), shared(), shared()];
  const counted = await Promise.all(
    Array.from({ length: 100 }, (_, n) => (n % 2 ? one : other).add(key)),
  );
  expect(counted.map(({ current }) => current).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 1),
  );
});

test("the count of a key can be decremented or deleted", async () => {
  const [key, counts] = [randomUUID(), shared()];
  await counts.add(key);
  await counts.takeBack(key);
  expect((await counts.add(key)).current).toBe(1);
  await counts.forget(key);
  expect((await counts.add(key)).current).toBe(1);
});

test("without Redis a process counts in its own memory, in windows of the same length", async () => {
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
