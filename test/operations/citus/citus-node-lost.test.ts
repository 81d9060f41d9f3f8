import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboardMerchant } from "../../harness/actors/onboarding.ts";
import { type Call, keepShopsBusy } from "../../harness/actors/shop-load.ts";
import { ask } from "../../harness/engines/citus-cluster.ts";
import { citusArchive } from "../../harness/engines/citus-programs.ts";
import { until } from "../../harness/stack/processes.ts";
import { reportRow } from "../row.ts";
import { callsSince, isFault, isServed, tallyOf } from "../tally.ts";
import { type CitusWorld, citusWorld } from "./world.ts";

/** Milliseconds in which a call is 503 that was on its way through the node that ends, of any shop. */
const CUT_OFF = 500;

describe.skipIf(citusArchive() === null)("Citus: two workers, and the services on both", () => {
  let world: CitusWorld;
  beforeAll(async () => {
    world = await citusWorld();
  });
  afterAll(() => world?.stop());

  /** A merchant who has signed in, with one of the shops that are away, and one of the others. */
  async function merchantOfBoth(away: ReadonlySet<string>): Promise<{ look(): Promise<string> }> {
    const { cluster, stack, shops } = world;
    const merchant = await onboardMerchant(stack.now);
    const ids = [true, false].map((isAway) => shops.find(({ id }) => away.has(id) === isAway)?.id ?? "");
    await ask(cluster.url, async (sql) => {
      const [found] = await sql<{ id: string }[]>`SELECT id FROM directory.merchants WHERE email = ${merchant.email}`;
      for (const id of ids) {
        await sql`INSERT INTO directory.memberships (merchant_id, shop_id) VALUES (${found?.id ?? ""}, ${id})`;
      }
    });
    const browser = merchantBrowser(merchant);
    const url = `${stack.now.base_url}/oauth/connections`;
    await browser.openConsent(url);
    return { look: async () => (await browser.open(url)).text };
  }

  test("a worker killed under load: its shops are 503 until it is back, the others are served, and no acknowledged write is lost", async () => {
    const { cluster, stack, client, shops } = world;
    const away = await world.shopsOf(2);
    expect(away.size).toBeGreaterThan(0);
    expect(away.size).toBeLessThan(shops.length);
    const isOther = (shop: string) => !away.has(shop);

    const merchant = await merchantOfBoth(away);
    expect((await merchant.look()).match(/Disconnect/g)).toHaveLength(2);
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    const killedAt = performance.now();
    await cluster.nodes[2]?.kill();
    await until(() => callsSince(load, killedAt + CUT_OFF, isOther).length > 300);
    await until(async () => (await merchant.look()).includes("We can’t read this shop’s connections at the moment."));
    expect((await merchant.look()).match(/Disconnect/g)).toHaveLength(1);
    const backAt = performance.now();
    await cluster.startNode(2);
    await until(() => world.areServed());
    const servedAt = performance.now();
    await until(() => callsSince(load, servedAt).length > 200);
    await load.stop();

    const tally = await tallyOf(stack, load);
    const seconds = (servedAt - backAt) / 1000;
    const endedBefore = ({ at, took }: Call) => at + took < killedAt;
    const others = load.calls.filter((call) => !endedBefore(call) && isOther(call.shop));
    const faults = load.calls.filter(isFault);
    const cut = others.filter(isFault).length;
    const note = `${faults.length - cut} × 503 of its ${away.size} shops; ${cut} × 503 of others, on their way through it; served ${seconds.toFixed(1)} s after its start began`;
    reportRow({ scenario: "Citus: a worker killed, and back", ...tally, seconds, note });
    expect(others.filter((call) => call.at > killedAt + CUT_OFF && !isServed(call))).toEqual([]);
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
    expect(faults.length - cut).toBeGreaterThan(0);
    expect(load.calls.filter(endedBefore).every(isServed)).toBe(true);
  });

  test("the coordinator killed for five seconds: partners notice nothing", async () => {
    const { cluster, stack, client, shops } = world;
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    const since = performance.now();
    await cluster.nodes[0]?.kill();
    await sleep(5000);
    await cluster.startNode(0);
    const seconds = (performance.now() - since) / 1000;
    await until(() => callsSince(load, performance.now() - 1000).length > 20);
    await load.stop();
    const tally = await tallyOf(stack, load);
    reportRow({ scenario: "Citus: the coordinator killed, and back", ...tally, seconds });
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
    expect(load.calls.filter(isFault)).toEqual([]);
  });
});
