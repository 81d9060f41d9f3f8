import { type RedisCluster, type RedisNode, startRedisCluster } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { insertRows, type ListBody } from "./testing.ts";

const ids = Array.from({ length: 8 }, (_, i) => `r0${i}`);
const start = Date.now() - 1000;
/** Milliseconds. Longer than the other masters take on a busy machine. */
const SILENCE = 3000;
const DOWN = "sort=updated_at_desc&limit=1";

let cluster: RedisCluster;
let server: TestResourceServer;

beforeAll(async () => {
  // No replica takes over while the test runs.
  cluster = await startRedisCluster({ masters: 3, replicas: 1, nodeTimeout: 60_000 });
  server = await testResourceServer({ redisUrl: cluster.url, redisSilence: SILENCE });
});
afterAll(async () => {
  await server?.close();
  await cluster?.stop();
});

const ask = (shop: TestShop, query: string) => server.get(`/api/responses?${query}`, shop.apiKey);

async function first(shop: TestShop, query: string): Promise<string | undefined> {
  const response = await ask(shop, query);
  expect([query, response.status]).toEqual([query, 200]);
  return ((await response.json()) as ListBody).data[0]?.id;
}

/** A shop that has been shown a page of one record, and the master that keeps its position. */
async function shownShop(): Promise<{ readonly shop: TestShop; readonly master: RedisNode }> {
  const kept = async () => {
    const masters = await cluster.masters();
    return await Promise.all(
      masters.map(async (master) => ({ master, keys: (await master.call("KEYS", "cursor:*")) as string[] })),
    );
  };
  const shop = await server.newShop();
  await insertRows(
    server.owner,
    shop.id,
    ids.map((id, i) => ({ id, inserted_at: start, updated_at: start + i })),
  );
  const before = new Set((await kept()).flatMap(({ keys }) => keys));
  expect(await first(shop, DOWN)).toBe("r07");
  const found = (await kept()).filter(({ keys }) => keys.some((key) => !before.has(key)));
  expect(found.length).toBe(1);
  return { shop, master: found[0]?.master ?? expect.fail("nobody remembers it") };
}

test("while one master is silent, only an id alone whose position it keeps is 503", async () => {
  const one = await shownShop();
  let other = await shownShop();
  while (other.master === one.master) other = await shownShop();
  const byId = (shop: TestShop) => ask(shop, `${DOWN}&starting_after=r07`);
  const link = `${DOWN}&starting_after=r07&cursor_time=${new Date(start + 7).toISOString()}`;
  expect([(await byId(one.shop)).status, (await byId(other.shop)).status]).toEqual([200, 200]);
  one.master.pause();
  expect((await byId(one.shop)).status).toBe(503);
  for (let i = 0; i < 5; i++) {
    const answers = [
      await byId(one.shop),
      await byId(other.shop),
      await ask(one.shop, link),
      await ask(other.shop, link),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200, 200]);
  }
  one.master.resume();
});
