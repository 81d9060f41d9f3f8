import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { ask, PAGE_BYTES, type Reader, shopOfLargePages } from "./testing.ts";

/** Room for three of one shop's large pages: a fourth would leave less than they have. */
const MEMORY = 6.8 * PAGE_BYTES;

let server: TestResourceServer;
let large: TestShop;
let neighbour: TestShop;
const readers: Reader[] = [];

beforeAll(async () => {
  server = await testResourceServer({ answerMemory: MEMORY });
  [large, neighbour] = [await shopOfLargePages(server), await shopOfLargePages(server)];
});
afterEach(async () => {
  for (const { socket } of readers.splice(0)) socket.destroy();
  await expect.poll(() => server.answers.held).toBe(0);
});
afterAll(() => server.close());

/** One after another, so that each is there before the next one is asked for. Nobody reads them. */
async function statuses(
  count: number,
  shop: TestShop,
  options?: Parameters<typeof ask>[2],
): Promise<(number | null)[]> {
  const all: (number | null)[] = [];
  for (let i = 0; i < count; i++) {
    const reader = ask(server.url, shop.apiKey, options);
    readers.push(reader);
    all.push(await reader.status);
  }
  return all;
}

const page = (shop: TestShop, limit = 1000): Promise<Response> =>
  server.get(`/api/responses?limit=${limit}`, shop.apiKey);

describe("answers that nobody takes", () => {
  test("are as many as leave as much room as they have; beyond, a page of their shop is 429 and others go on", async () => {
    expect(await statuses(6, large)).toEqual([200, 200, 200, 429, 429, 429]);
    for (let i = 0; i < 5; i++) {
      const response = await page(neighbour);
      expect([response.status, (await response.arrayBuffer()).byteLength > PAGE_BYTES * 0.95]).toEqual([200, true]);
    }
    const refused = await page(large);
    expect([refused.status, await refused.text()]).toEqual([429, '{"error":"too_many_requests"}']);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("are refused before their page is read", async () => {
    expect((await statuses(4, large)).at(-1)).toBe(429);
    await server.owner.begin(async (session) => {
      await session`LOCK TABLE survey.responses IN ACCESS EXCLUSIVE MODE`;
      expect(await statuses(3, large)).toEqual([429, 429, 429]);
    });
  });

  test("leave room again once they are taken, or given up", async () => {
    expect(await statuses(4, large)).toEqual([200, 200, 200, 429]);
    const bytes = await readers[0]?.rest();
    expect(bytes).toBeGreaterThan(PAGE_BYTES * 0.95);
    readers[1]?.socket.destroy();
    await expect.poll(() => server.answers.held).toBeLessThan(1.5 * PAGE_BYTES);
    expect(await statuses(3, large)).toEqual([200, 200, 429]);
  });

  test("of several shops leave each the same room", async () => {
    const third = await shopOfLargePages(server);
    expect(await statuses(4, large)).toEqual([200, 200, 200, 429]);
    // 3 of 6.8 are taken: beside 1, 2.8 are free, and beside 2, 1.8 are.
    expect(await statuses(3, neighbour)).toEqual([200, 429, 429]);
    expect(await statuses(2, third)).toEqual([200, 429]);
  });

  test("of all shops together are 503 with retry-after for who would be beyond", async () => {
    const shops = [large, neighbour, ...(await Promise.all(Array.from({ length: 5 }, () => shopOfLargePages(server))))];
    const first: (number | null)[] = [];
    for (const shop of shops) first.push(...(await statuses(1, shop)));
    expect(first).toEqual([200, 200, 200, 200, 200, 200, 503]);
    const late = await page(shops.at(-1) as TestShop);
    expect([late.status, await late.text()]).toEqual([503, '{"error":"unavailable"}']);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(1);
    // A small page has room.
    expect((await page(shops.at(-1) as TestShop, 10)).status).toBe(200);
  });
});
