import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type RedisCluster, startRedisCluster } from "../../harness/engines/redis-cluster.ts";
import { until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { reportRow } from "../row.ts";
import { type ClusterCaller, clusterCallers, manyShops } from "./cluster-callers.ts";
import { type ClusterCall, isServed, judge, keepCalling } from "./cluster-load.ts";

const CALLERS = 12;
const SHOPS = 40;

let cluster: RedisCluster;
let stack: OwnStack;
let callers: readonly ClusterCaller[];
let merchants: Awaited<ReturnType<typeof manyShops>>;

beforeAll(async () => {
  cluster = await startRedisCluster({ durable: true });
  stack = await startOwnStack({ env: { REDIS_URL: cluster.url } });
  callers = await clusterCallers(stack.now, cluster, CALLERS);
  merchants = await manyShops(stack.now, SHOPS);
});
afterAll(async () => {
  await stack?.stop();
  await cluster?.stop();
});

describe("three masters with a replica each, every write on the disk", () => {
  test("slots moved under load: no call fails, not even of the keys that move", async () => {
    const [from, to] = await cluster.masters();
    if (!from || !to) throw new Error("no masters");
    const used = new Set(callers.flatMap(({ refreshSlots, authorizeSlots }) => [...refreshSlots, ...authorizeSlots]));
    const slots = (await cluster.slotsOf(from)).filter((slot) => used.has(slot));
    const load = keepCalling(callers);
    const since = performance.now();
    await cluster.moveSlots(from, to, slots);
    const seconds = (performance.now() - since) / 1000;
    await until(() => load.calls.some(({ at }) => at > since + 1000 * seconds + 300));
    await load.stop();
    const { requests, failed, failures, unavailable } = judge(load.calls, () => false);
    reportRow({
      ...{ scenario: "Redis Cluster: slots moved under load", requests, failed, seconds },
      note: `${slots.length} slots, each with keys in use; ${unavailable} × 503`,
    });
    expect(slots.length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });

  test("a master killed under load, its replica promoted: 503 for its keys alone, and no code or token is lost", async () => {
    const codes: Awaited<ReturnType<typeof merchants.app.obtainCode>>[] = [];
    const browser = merchantBrowser(merchants.merchant);
    let isOver = false;
    const approvals = (async () => {
      for (const shop of merchants.shops) if (!isOver) codes.push(await merchants.app.obtainCode(browser, shop));
    })();
    const load = keepCalling(callers);
    await until(() => codes.length >= 5);
    isOver = true;
    await approvals;

    const slot = callers[0]?.refreshSlots[0] ?? 0;
    const masters = await cluster.masters();
    const owned = await Promise.all(masters.map(async (master) => ({ master, slots: await cluster.slotsOf(master) })));
    const found = owned.find(({ slots }) => slots.includes(slot));
    if (!found) throw new Error(`nobody serves slot ${slot}`);
    const concerned = new Set(found.slots);
    await found.master.kill();
    const since = performance.now();
    await until(async () => !(await cluster.masters()).includes(found.master));
    const promoted = performance.now();
    const isConcerned = ({ slots }: ClusterCall) => slots.some((each) => concerned.has(each));
    // Each of our replicas learns of it by itself: both serve again once nothing is refused any more.
    const servedSince = () => {
      const calls = load.calls.filter((call) => isConcerned(call) && call.at > promoted);
      return calls.length - 1 - calls.findLastIndex((call) => !isServed(call));
    };
    await until(() => servedSince() > 2 * CALLERS);
    await load.stop();
    const judged = judge(load.calls, (each) => concerned.has(each));

    // Each code was acknowledged before the kill; each refresh token was, too.
    const exchanges = await Promise.all(codes.map((code) => merchants.app.exchange(code)));
    const refreshes = await Promise.all(callers.map((caller) => caller.refresh()));
    const lost = [
      ...exchanges.filter(({ status }) => status !== 200).map(({ status, text }) => `code: ${status} ${text}`),
      ...refreshes.filter((status) => status !== 200).map((status) => `refresh token: ${status}`),
    ];
    const { requests, failed, failures, unavailable, slowest, lastUnavailable } = judged;
    const seconds = (lastUnavailable - since) / 1000;
    reportRow({
      ...{
        scenario: "Redis Cluster: a master killed, its replica promoted",
        requests,
        failed,
        lost: lost.length,
        seconds,
      },
      note: `${unavailable} × 503, all of its keys; ${codes.length} codes in flight; slowest answer ${slowest.toFixed(0)} ms`,
    });
    expect(failures).toEqual([]);
    expect(unavailable).toBeGreaterThan(0);
    expect(lost.join("\n")).toBe("");
    expect(seconds).toBeLessThan(10);
  });
});
