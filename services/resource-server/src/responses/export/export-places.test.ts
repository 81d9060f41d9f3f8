import { hashCredential, newCredential } from "@partner-connect/directory";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ask, type Reader, shopOfLargePages } from "../../answers/testing.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";

const STALL_MS = 1500;
const NDJSON = { accept: "application/x-ndjson" };

/** Its stall limit is a minute. */
let server: TestResourceServer;
/** Over the same stores. */
let hasty: TestResourceServer;
const shops: TestShop[] = [];
const readers: Reader[] = [];

beforeAll(async () => {
  server = await testResourceServer();
  hasty = await testResourceServer({ stallMs: STALL_MS, sharedWith: server });
  for (let i = 0; i < 5; i++) shops.push(await shopOfLargePages(server, 2));
});
afterEach(async () => {
  for (const { socket } of readers.splice(0)) socket.destroy();
  await expect.poll(() => server.answers.held + hasty.answers.held).toBe(0);
});
afterAll(async () => {
  await hasty.close();
  await server.close();
});

/** The statuses of exports that nobody reads further than that, begun one after another. */
async function exported(authorizations: readonly string[], { url } = server): Promise<(number | null)[]> {
  const all: (number | null)[] = [];
  for (const authorization of authorizations) {
    const reader = ask(url, authorization, NDJSON);
    readers.push(reader);
    all.push(await reader.status);
  }
  return all;
}

async function anotherKey(shop: TestShop): Promise<string> {
  const key = newCredential("pck");
  await server.owner`INSERT INTO directory.api_keys (shop_id, key_hash) VALUES (${shop.id}, ${hashCredential(key)}::bytea)`;
  return key;
}

describe("exports", () => {
  test("are two at a time for a shop, whoever asks, and other shops have theirs", async () => {
    const [shop, ...others] = shops as [TestShop, ...TestShop[]];
    const callers = [shop.apiKey, `Bearer ${shop.token}`, await anotherKey(shop), await anotherKey(shop)];
    expect(await exported(callers)).toEqual([200, 200, 429, 429]);
    const refused = await server.get("/api/responses", `Bearer ${shop.token}`, NDJSON);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    const [other] = others as [TestShop];
    const whole = await server.get("/api/responses", other.apiKey, NDJSON);
    expect([whole.status, (await whole.text()).split("\n").length]).toEqual([200, 2001]);
  });

  test("are eight at a time for all, and 503 beyond", async () => {
    const keys = shops.slice(0, 4).flatMap(({ apiKey }) => [apiKey, apiKey]);
    expect(await exported(keys)).toEqual(Array(8).fill(200));
    const refused = await server.get("/api/responses", shops[4]?.apiKey, NDJSON);
    expect([refused.status, await refused.text()]).toEqual([503, '{"error":"unavailable"}']);
    expect(refused.headers.get("retry-after")).toBe("30");
  });

  test("that nobody takes leave their places to others", async () => {
    const [shop] = shops as [TestShop];
    await exported([shop.apiKey, shop.apiKey], hasty);
    const again = async () => (await exported([shop.apiKey], hasty))[0];
    await expect.poll(again, { timeout: 15_000, interval: STALL_MS / 4 }).toBe(200);
  });
});
