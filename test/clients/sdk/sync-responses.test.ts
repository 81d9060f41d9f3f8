import { ShopClient, type SyncBatch, type SyncState } from "@partner-connect/partner-sdk";
import { beforeEach, expect, test } from "vitest";
import { onboardApiKey, onboardMerchant, onboardShop } from "../../harness/actors/onboarding.ts";
import { failure } from "../../harness/actors/sdk-partner.ts";
import { generateResponses, type SurveyRecord } from "../../harness/actors/survey.ts";
import { faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { randomFaults } from "../../harness/faults/random-faults.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { Copy, differences, recordsOf, suiteKeeper, withoutTimes } from "./sync-world.ts";

const COUNT = 4000;
const DAY_MS = 24 * 60 * 60 * 1000;
const stack = mainStack();
const proxy = await faultyProxy(stack.base_url);
const keeper = suiteKeeper(stack);
const records = generateResponses(COUNT, "sync");
const ids = records.map(({ id }) => id);
let daysLater = 0;
const clock = { now: () => Date.now() + daysLater * DAY_MS, sleep: async () => {} };

type World = Awaited<ReturnType<typeof newWorld>>;

const merchant = await onboardMerchant(stack);
/** A shop that no test changes. */
const steady = await newWorld(records);
beforeEach(() => {
  daysLater = 0;
});

async function newWorld(responses: readonly SurveyRecord[]) {
  const shop = await onboardShop(stack, merchant);
  const [{ key }] = await Promise.all([
    onboardApiKey(stack, shop),
    keeper.importInto(shop.id, ...responses),
  ]);
  const credential = { authorization: async () => key };
  return {
    shopId: shop.id,
    apiKey: key,
    client: new ShopClient({ apiUrl: proxy.url, credential, fetch, clock }),
  };
}

async function copied(world: World): Promise<Copy> {
  const copy = new Copy();
  await copy.follow(world.client.syncResponses(null));
  return copy;
}

async function expectSame(copy: Copy, { apiKey }: World): Promise<void> {
  expect(differences(copy.records, await recordsOf(stack, apiKey))).toEqual([]);
}

test("the first sync reads all responses in pages of 1,000, and a later sync reads only changes", async () => {
  const world = await newWorld(records);
  const before = proxy.calls.length;
  const copy = await copied(world);
  await expectSame(copy, world);
  const paths = proxy.calls.slice(before).map(({ path }) => path);
  expect(paths.filter((path) => /^\/api\/responses.*limit=1000/.test(path)).length).toBe(
    COUNT / 1000,
  );
  // The calls: which shop it is, its newest response, the pages, and the deletions.
  expect(paths.length).toBe(3 + COUNT / 1000);

  await keeper.recategorize(world.shopId, ids.slice(0, 10), "Podcast");
  await keeper.remove(world.shopId, ids.slice(5, 15));
  await keeper.importInto(world.shopId, ...records.slice(8, 10).map(withoutTimes));
  const batches: SyncBatch[] = [];
  for await (const batch of world.client.syncResponses(copy.state)) {
    batches.push(batch);
    copy.apply(batch);
  }
  await expectSame(copy, world);
  expect(copy.records.size).toBe(COUNT - 8);
  expect(batches.flatMap(({ responses }) => responses).length).toBe(7);
  expect(batches.flatMap(({ deletedIds }) => deletedIds).sort()).toEqual(
    [...ids.slice(5, 8), ...ids.slice(10, 15)].sort(),
  );
  expect(copy.resets).toBe(1);
});

test("after network faults, crashes and concurrent changes, a copy equals the shop's responses", async () => {
  const world = await newWorld(records);
  const copy = new Copy();
  proxy.choose(randomFaults(14, 3));
  let isOver = false;
  const changes = (async () => {
    for (let round = 0; !isOver; round++) {
      const from = (round * 331) % (COUNT - 400);
      await keeper.recategorize(world.shopId, ids.slice(from, from + 200), `Category ${round}`);
      await keeper.remove(world.shopId, ids.slice(from + 150, from + 350));
      await keeper.importInto(
        world.shopId,
        ...records.slice(from + 250, from + 400).map(withoutTimes),
      );
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

test("a stored state older than 390 days leads to a full copy", async () => {
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
])("a stored state whose %s is unknown leads to a full copy", async (_name, place) => {
  const copy = await copied(steady);
  await copy.follow(steady.client.syncResponses({ ...(copy.state as SyncState), ...place }));
  expect(copy.resets).toBe(2);
  await expectSame(copy, steady);
});

test("another shop's stored state is refused without emptying the copy", async () => {
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

test("a malformed stored state is refused", async () => {
  for (const state of [{}, { version: 2 }, "state", 7]) {
    const error = await failure(new Copy().follow(steady.client.syncResponses(state as SyncState)));
    expect(error).toMatchObject({ code: "invalid_request", param: "state" });
  }
});
