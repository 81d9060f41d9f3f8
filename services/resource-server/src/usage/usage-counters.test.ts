import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UsageCounters } from "./usage-counters.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-22T09:59:59.999Z") }));
afterEach(() => void vi.useRealTimers());

const caller = (id: string) => ({ kind: "api_key" as const, id, shopId: "shop_a" });

test("calls, records and failures are counted for each caller and hour, and handed over once", () => {
  const usage = new UsageCounters();
  usage.call(caller("key_a"), 200);
  usage.records(caller("key_a"), 100);
  vi.setSystemTime("2026-11-22T10:00:00.000Z");
  for (const status of [304, 400, 429, 503]) usage.call(caller("key_a"), status);
  usage.call(caller("key_b"), 201);
  const nothing = { calls: 0, records: 0, refused: 0, failed: 0 };
  expect(usage.take()).toEqual([
    {
      ...nothing,
      shopId: "shop_a",
      callerId: "key_a",
      hour: Date.parse("2026-11-22T09:00:00Z"),
      calls: 1,
      records: 100,
    },
    {
      ...nothing,
      shopId: "shop_a",
      callerId: "key_a",
      hour: Date.parse("2026-11-22T10:00:00Z"),
      calls: 4,
      refused: 2,
      failed: 1,
    },
    { ...nothing, shopId: "shop_a", callerId: "key_b", hour: Date.parse("2026-11-22T10:00:00Z"), calls: 1 },
  ]);
  expect(usage.take()).toEqual([]);
});

test("what is given back is counted again, beside what came meanwhile and in the hour that it belongs to", () => {
  const usage = new UsageCounters();
  usage.records(caller("key_a"), 5);
  const [taken] = usage.take();
  usage.records(caller("key_a"), 2);
  vi.setSystemTime("2026-11-22T10:00:00.000Z");
  usage.records(caller("key_a"), 1);
  usage.giveBack(taken ? [taken] : []);
  expect(usage.take().map(({ hour, records }) => [new Date(hour).getUTCHours(), records])).toEqual([
    [9, 7],
    [10, 1],
  ]);
});

test("memory is bounded: of callers beyond it nothing is counted, and that is told", () => {
  const usage = new UsageCounters(2);
  for (const id of ["key_a", "key_b", "key_c"]) usage.call(caller(id), 200);
  usage.call(caller("key_a"), 200);
  expect(usage.takeUncounted()).toBe(1);
  expect(usage.takeUncounted()).toBe(0);
  const taken = usage.take();
  expect(taken.map(({ callerId, calls }) => [callerId, calls])).toEqual([
    ["key_a", 2],
    ["key_b", 1],
  ]);
  usage.call(caller("key_c"), 200);
  usage.giveBack(taken);
  expect(usage.take().map(({ callerId }) => callerId)).toEqual(["key_c", "key_a"]);
  expect(usage.takeUncounted()).toBe(1);
});

test("a client's calls over the limit are counted by the limit, faults by their reason", () => {
  const usage = new UsageCounters();
  const client = {
    kind: "connection",
    id: "con_a",
    shopId: "shop_a",
    clientId: "client_a",
    generation: 1,
    scope: [],
  } as const;
  const refused = (status: number, facts: object) => ({
    requestId: "r",
    call: "GET /",
    clientId: "client_a",
    status,
    ...facts,
  });
  usage.call(client, 429, refused(429, { reason: "rate_limited", limit: "api" }));
  usage.call(client, 503, refused(503, { reason: "postgres_away" }));
  usage.activity.giveBack(usage.activity.take());
  expect(usage.activity.take().map(({ what, reason, count }) => [what, reason, count])).toEqual([
    ["calls", "", 2],
    ["limited", "api", 1],
    ["failed", "postgres_away", 1],
  ]);
});
