import { ShopClient, type SyncBatch, type SyncState } from "@partner-connect/partner-sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type MerchantAccount,
  onboardApiKey,
  onboardMerchant,
  onboardShop,
  type ShopRecord,
} from "../../harness/actors/onboarding.ts";
import { failure } from "../../harness/actors/sdk-partner.ts";
import { generateResponses, type SurveyRecord } from "../../harness/actors/survey.ts";
import { type FaultyProxy, faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { randomFaults } from "../../harness/faults/random-faults.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { Copy, differences, linesOf, recordsOf, type ShopKeeper, shopKeeper, withoutTimes } from "./sync-world.ts";

const COUNT = 4000;
const DAY_MS = 24 * 60 * 60 * 1000;
const stack = mainStack();
let records: SurveyRecord[];
let merchant: MerchantAccount;
/** A shop that no test changes. */
let steady: World;
let proxy: FaultyProxy;
let keepers: ShopKeeper;
let daysLater = 0;
const clock = { now: () => Date.now() + daysLater * DAY_MS, sleep: async () => {} };

/** A shop with responses, and who reads and changes them. */
interface World {
  readonly shop: ShopRecord;
  readonly apiKey: string;
  readonly client: ShopClient;
  readonly keeper: {
    import(records: readonly object[]): Promise<unknown>;
    recategorize(ids: readonly string[], response: string): Promise<unknown>;
    delete(ids: readonly string[]): Promise<unknown>;
  };
  readonly ids: readonly string[];
}

beforeAll(async () => {
  keepers = shopKeeper(stack);
  records = generateResponses(COUNT, "sync");
  [proxy, merchant] = await Promise.all([faultyProxy(stack.base_url), onboardMerchant(stack)]);
  steady = await newWorld(records);
});
afterAll(async () => await Promise.all([proxy.stop(), keepers.close()]));
beforeEach(() => {
  proxy.choose(null);
  daysLater = 0;
});

async function newWorld(of: readonly SurveyRecord[]): Promise<World> {
  const shop = await onboardShop(stack, merchant);
  const keeper: World["keeper"] = {
    import: (some) => keepers.import(shop.id, linesOf(some)),
    recategorize: (ids, response) => keepers.recategorize(shop.id, ids, response),
    delete: (ids) => keepers.delete(shop.id, ids),
  };
  const [{ key }] = await Promise.all([onboardApiKey(stack, shop), keeper.import(of)]);
  const client = new ShopClient({
    apiUrl: proxy.url,
    credential: { authorization: async () => key },
    fetch: (input, init) => fetch(input, init),
    clock,
  });
  return { shop, apiKey: key, client, keeper, ids: of.map(({ id }) => id) };
}

async function copied(world: World): Promise<Copy> {
  const copy = new Copy();
  await copy.follow(world.client.syncResponses(null));
  return copy;
}

async function expectSame(copy: Copy, { apiKey }: World): Promise<void> {
  expect(differences(copy.records, await recordsOf(stack, apiKey))).toEqual([]);
}

const isPage = (path: string): boolean => path.startsWith("/api/responses") && path.includes("limit=1000");
describe("a copy", () => {
  test("has all responses after the first run, by pages of 1,000, and then nothing but what changes", async () => {
    const world = await newWorld(records);
    const before = proxy.calls.length;
    const copy = await copied(world);
    await expectSame(copy, world);
    const paths = proxy.calls.slice(before).map(({ path }) => path);
    expect(paths.filter(isPage).length).toBe(COUNT / 1000);
    expect(paths.length).toBe(3 + COUNT / 1000); // whose shop, its newest response, the pages, deletions

    await world.keeper.recategorize(world.ids.slice(0, 10), "Podcast");
    await world.keeper.delete(world.ids.slice(5, 15));
    await world.keeper.import(records.slice(8, 10).map(withoutTimes));
    const batches: SyncBatch[] = [];
    for await (const batch of world.client.syncResponses(copy.state)) {
      batches.push(batch);
      copy.apply(batch);
    }
    await expectSame(copy, world);
    expect(copy.records.size).toBe(COUNT - 8);
    expect(batches.flatMap(({ responses }) => responses).length).toBe(7);
    expect(batches.flatMap(({ deletedIds }) => deletedIds).sort()).toEqual(
      [...world.ids.slice(5, 8), ...world.ids.slice(10, 15)].sort(),
    );
    expect(copy.resets).toBe(1);
  });
});

describe("a copy on a network on which things go wrong", () => {
  test("is exact after any faults, crashes and changes of the shop", async () => {
    const world = await newWorld(records);
    const copy = new Copy();
    const chaos = randomFaults(14, 3, [
      { fault: "drop-request" },
      { fault: "drop-answer" },
      { fault: "cut" },
      { fault: "cut", afterBytes: 400_000 },
      { fault: "double", answer: "first" },
      { fault: "double", answer: "second" },
      { fault: "delay", ms: 50 },
      { fault: "gateway", status: 503 },
      { fault: "gateway", status: 429, headers: { "retry-after": "1" } },
    ]);
    proxy.choose(chaos);
    let isOver = false;
    const changes = (async () => {
      for (let round = 0; !isOver; round++) {
        const from = (round * 331) % (COUNT - 400);
        const ids = world.ids.slice(from, from + 400);
        await world.keeper.recategorize(ids.slice(0, 200), `Category ${round}`);
        await world.keeper.delete(ids.slice(150, 350));
        await world.keeper.import(records.slice(from + 250, from + 400).map(withoutTimes));
      }
    })();
    // A crash loses what was read and not yet applied: here, a batch of the first few of a run.
    for (let crash = 0; crash < 25; crash++) {
      let batches = 0;
      for await (const batch of world.client.syncResponses(copy.state)) {
        if (batches++ >= crash % 4) break;
        copy.apply(batch);
      }
    }
    isOver = true;
    await changes;
    await copy.follow(world.client.syncResponses(copy.state));
    await expectSame(copy, world);
    expect(copy.resets).toBe(1);
  });
});

describe("a state", () => {
  test("from longer ago than deletions are kept begins a full copy", async () => {
    const copy = await copied(steady);
    copy.records.set("deleted long ago, and forgotten", {});
    daysLater = 391;
    await copy.follow(steady.client.syncResponses(copy.state));
    expect(copy.resets).toBe(2);
    await expectSame(copy, steady);
    daysLater = 700;
    await copy.follow(steady.client.syncResponses(copy.state));
    expect(copy.resets).toBe(2);
  });

  test.each<[string, Partial<SyncState>]>([
    ["response", { response: { id: "res_forgotten", updated_at: "2024-01-01T00:00:00.000Z" } }],
    ["deletion", { deletion: { id: "res_forgotten", deleted_at: "2024-01-01T00:00:00.000Z" } }],
  ])("whose %s is forgotten begins a full copy", async (_name, place) => {
    const copy = await copied(steady);
    await copy.follow(steady.client.syncResponses({ ...(copy.state as SyncState), ...place }));
    expect(copy.resets).toBe(2);
    await expectSame(copy, steady);
  });

  test("of another shop empties no copy", async () => {
    const empty = await newWorld([]);
    const other = await newWorld(generateResponses(20, "sync-other"));
    for (const world of [other, empty]) {
      const { state } = await copied(world);
      const copy = new Copy();
      const error = await failure(copy.follow(steady.client.syncResponses(state)));
      expect(error).toMatchObject({ code: "invalid_request", param: "state" });
      expect(copy.resets).toBe(0);
    }
  });

  test("that is none of ours is refused", async () => {
    for (const state of [{}, { version: 2 }, "state", 7]) {
      const error = await failure(new Copy().follow(steady.client.syncResponses(state as SyncState)));
      expect(error).toMatchObject({ code: "invalid_request", param: "state" });
    }
  });
});
