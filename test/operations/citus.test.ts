import { withDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboardMerchant, type PartnerClient } from "../harness/actors/onboarding.ts";
import { runOperator } from "../harness/actors/operator.ts";
import {
  areServed,
  type Call,
  createLoadedShops,
  keepShopsBusy,
  type LoadedShop,
} from "../harness/actors/shop-load.ts";
import {
  CITUS_ARCHIVE,
  type CitusCluster,
  nodeOfShop,
  startCitus,
} from "../harness/engines/citus-cluster.ts";
import { until } from "../harness/stack/processes.ts";
import { databaseVariables, type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { callsSince, isFault, isServed, report, tallyOf } from "./tally.ts";

/** Milliseconds after a kill in which any shop's calls may be 503, if they used the killed node. */
const CUT_OFF = 500;

describe.skipIf(CITUS_ARCHIVE === null)("on Citus, with the services on both workers", () => {
  let cluster: CitusCluster;
  let stack: OwnStack;
  let client: PartnerClient;
  let shops: readonly LoadedShop[];
  beforeAll(async () => {
    cluster = await startCitus();
    const env = { DATABASE_URL: cluster.url };
    const nowhere = { dataDir: "/nowhere" };
    const { exitCode, stderr } = await runOperator(nowhere, ["migrate --distribute"], { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    stack = await startOwnStack({ env: databaseVariables(cluster) });
    ({ client, shops } = await createLoadedShops(stack, 6));
  });
  afterAll(async () => {
    await stack?.stop();
    await cluster?.remove();
  });

  /** The ids of the shops whose rows the node has. */
  async function shopsOf(node: number): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { id } of shops)
      if ((await nodeOfShop(cluster, id)) === cluster.nodes[node]?.port) found.add(id);
    return found;
  }

  /** A merchant who has signed in, with one of the shops that are away, and one of the others. */
  async function merchantOfBoth(away: ReadonlySet<string>): Promise<{ look(): Promise<string> }> {
    const merchant = await onboardMerchant(stack.now);
    const ids = [true, false].map(
      (isAway) => shops.find(({ id }) => away.has(id) === isAway)?.id ?? "",
    );
    await withDatabase(cluster.url, async (sql) => {
      const [found] = await sql<
        { id: string }[]
      >`SELECT id FROM directory.merchants WHERE email = ${merchant.email}`;
      for (const id of ids) {
        await sql`INSERT INTO directory.memberships (merchant_id, shop_id) VALUES (${found?.id ?? ""}, ${id})`;
      }
    });
    const browser = merchantBrowser(merchant);
    const url = `${stack.now.base_url}/oauth/connections`;
    await browser.openConsent(url);
    return { look: async () => (await browser.open(url)).text };
  }

  test("while a killed Citus worker is down, only shops with rows on that worker get 503, and no acknowledged write is lost", async () => {
    const away = await shopsOf(2);
    expect(away.size).toBeGreaterThan(0);
    expect(away.size).toBeLessThan(shops.length);
    const isOther = (shop: string) => !away.has(shop);

    const merchant = await merchantOfBoth(away);
    expect((await merchant.look()).match(/\bDisconnect\b/g)).toHaveLength(2);
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    const killedAt = performance.now();
    await cluster.nodes[2]?.kill();
    await until(() => callsSince(load, killedAt + CUT_OFF, isOther).length > 300);
    await until(async () => (await merchant.look()).includes("Please try again shortly"));
    const backAt = performance.now();
    await cluster.startNode(2);
    await until(() => areServed(stack, client, shops));
    const servedAt = performance.now();
    await until(async () => (await merchant.look()).match(/\bDisconnect\b/g)?.length === 2);
    await until(() => callsSince(load, servedAt).length > 200);
    await load.stop();

    const tally = await tallyOf(stack, load);
    const seconds = (servedAt - backAt) / 1000;
    const endedBefore = ({ at, took }: Call) => at + took < killedAt;
    const others = load.calls.filter((call) => !endedBefore(call) && isOther(call.shop));
    const faults = load.calls.filter(isFault);
    const cut = others.filter(isFault).length;
    report("Citus: a worker killed, and back", { ...tally, seconds, faults: faults.length, cut });
    expect(others.filter((call) => call.at > killedAt + CUT_OFF && !isServed(call))).toEqual([]);
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
    expect(faults.length - cut).toBeGreaterThan(0);
    expect(load.calls.filter(endedBefore).every(isServed)).toBe(true);
  });

  test("while the Citus coordinator is killed and started again, no partner's call fails", async () => {
    const load = keepShopsBusy(stack, client, shops);
    await until(() => load.acknowledged.length > 50);
    await cluster.nodes[0]?.kill();
    const killedAt = performance.now();
    await until(() => callsSince(load, killedAt).length > 500);
    await cluster.startNode(0);
    const backAt = performance.now();
    await until(() => callsSince(load, backAt).length > 50);
    await load.stop();
    const tally = await tallyOf(stack, load);
    report("Citus: the coordinator killed, and back", tally);
    expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
    expect(load.calls.filter(isFault)).toEqual([]);
  });
});
