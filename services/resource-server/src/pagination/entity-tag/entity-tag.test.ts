import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRows } from "../../responses/testing.ts";
import { type TestResourceServer, testResourceServer } from "../../testing.ts";

let server: TestResourceServer;

beforeAll(async () => {
  server = await testResourceServer();
});
afterAll(() => server.close());

/** Two texts of one length and one CRC-32, so that a page with the one has that of the page with the other. */
function twins(): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let i = 0; ; i++) {
    const text = hash("sha256", String(i)).slice(0, 16);
    const twin = seen.get(crc32(text));
    if (twin !== undefined) return [twin, text];
    seen.set(crc32(text), text);
  }
}

test("a page that changed has another tag, also where 32 bits would not tell it", async () => {
  const [before, after] = twins();
  const shop = await server.newShop();
  const at = Date.parse("2026-01-01T00:00:00Z");
  await insertRows(server.owner, shop.id, [{ id: "a", inserted_at: at, updated_at: at }]);
  await server.owner`UPDATE survey.responses SET doc = replace(doc, 'Podcast', ${before}) WHERE shop_id = ${shop.id}`;
  const first = await server.get("/api/responses", shop.apiKey);
  const tag = first.headers.get("etag") ?? "";
  const page = await first.text();
  expect(page).toContain(before);
  expect(crc32(page)).toBe(crc32(page.replace(before, after)));
  expect((await server.get("/api/responses", shop.apiKey, { "if-none-match": tag })).status).toBe(304);
  await server.owner`UPDATE survey.responses SET doc = replace(doc, ${before}, ${after}) WHERE shop_id = ${shop.id}`;
  const changed = await server.get("/api/responses", shop.apiKey, { "if-none-match": tag });
  expect([changed.status, (await changed.text()).includes(after)]).toEqual([200, true]);
});
