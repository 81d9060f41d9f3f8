import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepShopsBusy } from "../../harness/actors/shop-load.ts";
import { ask } from "../../harness/engines/citus-cluster.ts";
import { citusArchive } from "../../harness/engines/citus-programs.ts";
import { stopTree, until } from "../../harness/stack/processes.ts";
import { reportRow } from "../row.ts";
import { callsSince, isFault, slowest, tallyOf } from "./tally.ts";
import { type CitusWorld, citusWorld } from "./world.ts";

describe.skipIf(citusArchive() === null)("Citus: two workers, and the services on both", { timeout: 180_000 }, () => {
  let world: CitusWorld;
  beforeAll(async () => {
    world = await citusWorld();
  }, 120_000);
  afterAll(() => world?.stop());

  test("the coordinator killed for five seconds: partners notice nothing", async () => {
    const { cluster, stack, client, shops } = world;
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    const since = performance.now();
    await cluster.nodes[0]?.kill();
    await sleep(5000);
    await cluster.startNode(0);
    const seconds = (performance.now() - since) / 1000;
    await sleep(1000);
    await load.stop();
    const tally = await tallyOf(stack, load);
    const faults = load.calls.filter(isFault).length;
    reportRow({ scenario: "Citus: the coordinator killed, and back", ...tally, seconds, note: `${faults} × 503` });
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
    expect(faults).toBe(0);
  });

  test("a third worker, and a rebalance under load: no acknowledged write is lost", async () => {
    const { cluster, stack, client, shops } = world;
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    const since = performance.now();
    await cluster.addWorker();
    const added = (performance.now() - since) / 1000;
    await ask(cluster.url, (sql) => sql`SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
    await ask(cluster.url, (sql) => sql`SELECT citus_rebalance_wait()`);
    const seconds = (performance.now() - since) / 1000;
    await sleep(500);
    await load.stop();
    const moved = await world.shopsOf(3);
    const tally = await tallyOf(stack, load);
    const faults = load.calls.filter(isFault).length;
    const note = `${faults} × 503; the node added in ${added.toFixed(1)} s; ${moved.size} of ${shops.length} shops moved; the slowest call took ${slowest(load.calls)} ms`;
    reportRow({ scenario: "Citus: a third worker and a rebalance", ...tally, seconds, note });
    expect(moved.size).toBeGreaterThan(0);
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
  });

  test("a worker that is silent for ten seconds: what others get", async () => {
    const { cluster, stack, client, shops } = world;
    const away = await world.shopsOf(1);
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    const silentAt = performance.now();
    const goOn = await stopTree(cluster.nodes[1]?.pid ?? 0);
    await sleep(10_000);
    goOn();
    const backAt = performance.now();
    await until(() => world.areServed());
    const seconds = (performance.now() - backAt) / 1000;
    await load.stop();
    const tally = await tallyOf(stack, load);
    const during = callsSince(load, silentAt).filter(({ at }) => at < backAt);
    const others = during.filter(({ shop }) => !away.has(shop));
    const note = `503: ${during.filter(({ shop }) => away.has(shop)).filter(isFault).length} of its ${away.size} shops, ${others.filter(isFault).length} of ${others.length} calls of others; the slowest call took ${slowest(load.calls)} ms`;
    reportRow({ scenario: "Citus: a worker silent for 10 s", ...tally, seconds, note });
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
  });
});
