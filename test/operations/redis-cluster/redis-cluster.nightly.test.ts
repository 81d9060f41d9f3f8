import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RedisCluster, type RedisNode, startRedisCluster } from "../../harness/engines/redis-cluster.ts";
import { until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { reportRow } from "../row.ts";
import { type ClusterCaller, clusterCallers } from "./cluster-callers.ts";
import { type ClusterLoad, isServed, judge, keepCalling } from "./cluster-load.ts";

const CALLERS = 24;

let cluster: RedisCluster;
let stack: OwnStack;
let callers: readonly ClusterCaller[];

beforeEach(async () => {
  cluster = await startRedisCluster({ durable: true });
  stack = await startOwnStack({ env: { REDIS_URL: cluster.url } });
  callers = await clusterCallers(stack.now, cluster, CALLERS);
});
afterEach(async () => {
  await stack?.stop();
  await cluster?.stop();
});

/** Waits until this number of calls that need one of the slots were answered as asked, after `since`. Returns the first one's time. */
async function served(load: ClusterLoad, slots: ReadonlySet<number>, since: number): Promise<number> {
  const found = () =>
    load.calls.filter((call) => call.at > since && call.slots.some((slot) => slots.has(slot)) && isServed(call));
  await until(() => found().length > CALLERS);
  return found()[0]?.at ?? Number.NaN;
}

function report(scenario: string, load: ClusterLoad, concerned: ReadonlySet<number>, seconds: number, note: string) {
  const judged = judge(load.calls, (slot) => concerned.has(slot));
  const { requests, failed, unavailable, slowest } = judged;
  reportRow({
    ...{ scenario: `Redis Cluster: ${scenario}`, requests, failed, seconds },
    note: `${unavailable} × 503, all of its keys; ${note}; slowest answer ${slowest.toFixed(0)} ms`,
  });
  return judged;
}

const masterOfFirst = async (): Promise<{ master: RedisNode; slots: Set<number> }> => {
  const slot = callers[0]?.refreshSlots[0] ?? 0;
  for (const master of await cluster.masters()) {
    const slots = new Set(await cluster.slotsOf(master));
    if (slots.has(slot)) return { master, slots };
  }
  throw new Error(`nobody serves slot ${slot}`);
};

describe("a Redis Cluster under load", () => {
  test("a master that hangs, and comes back when its replica has taken over: 503 for its keys alone", async () => {
    const { master, slots } = await masterOfFirst();
    const load = keepCalling(callers);
    await sleep(1000);
    master.pause();
    const since = performance.now();
    await until(async () => !(await cluster.masters()).includes(master));
    const seconds = ((await served(load, slots, performance.now())) - since) / 1000;
    master.resume();
    await cluster.untilWhole();
    await sleep(2000);
    await load.stop();
    const { failures, unavailable, slowest } = report(
      "a master hangs (SIGSTOP)",
      load,
      slots,
      seconds,
      "back as a replica",
    );
    expect(failures).toEqual([]);
    expect(unavailable).toBeGreaterThan(0);
    // A second of silence, and what a busy machine adds.
    expect(slowest).toBeLessThan(4000);
  });

  test("a master without a replica killed, and started again: 503 for its keys alone, until it serves", async () => {
    const { master, slots } = await masterOfFirst();
    for (const replica of await cluster.replicasOf(master)) await replica.kill();
    const load = keepCalling(callers);
    await sleep(1000);
    await master.kill();
    await sleep(3000);
    const since = performance.now();
    await master.start();
    const seconds = ((await served(load, slots, since)) - since) / 1000;
    await load.stop();
    const { failures, unavailable } = report(
      "a shard away for three seconds",
      load,
      slots,
      seconds,
      "served again by itself",
    );
    expect(failures).toEqual([]);
    expect(unavailable).toBeGreaterThan(0);
    expect(await Promise.all(callers.map((caller) => caller.refresh()))).toEqual(callers.map(() => 200));
  });

  test("a fourth master takes a quarter of all slots: no call fails", async () => {
    const masters = await cluster.masters();
    const load = keepCalling(callers);
    await sleep(1000);
    const since = performance.now();
    const fourth = await cluster.addNode();
    await cluster.addNode(fourth);
    for (const master of masters) {
      const slots = await cluster.slotsOf(master);
      await cluster.moveSlots(master, fourth, slots.slice(0, Math.floor(slots.length / 4)));
    }
    const seconds = (performance.now() - since) / 1000;
    await sleep(1000);
    await load.stop();
    const moved = (await cluster.slotsOf(fourth)).length;
    const { failures } = report("a fourth master added", load, new Set(), seconds, `${moved} slots moved`);
    expect(moved).toBeGreaterThan(4000);
    expect(failures).toEqual([]);
    expect(await Promise.all(callers.map((caller) => caller.refresh()))).toEqual(callers.map(() => 200));
  });

  test("a planned failover of each master: no call fails but while its slots change hands", async () => {
    const load = keepCalling(callers);
    await sleep(1000);
    const since = performance.now();
    for (const master of await cluster.masters()) await cluster.failOver(master);
    const seconds = (performance.now() - since) / 1000;
    await sleep(1000);
    await load.stop();
    const all = new Set(callers.flatMap(({ refreshSlots, authorizeSlots }) => [...refreshSlots, ...authorizeSlots]));
    const { failures } = report(
      "each replica promoted in turn (CLUSTER FAILOVER)",
      load,
      all,
      seconds,
      "three in a row",
    );
    expect(failures).toEqual([]);
  });
});
