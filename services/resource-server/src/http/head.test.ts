import { expectHeadLikeGet, routesOf } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "../responses/testing.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";

let server: TestResourceServer;
let shop: TestShop;

const AT = Date.parse("2026-01-01T00:00:00Z");

beforeAll(async () => {
  // Its clock stands still: tags of two answers are compared, and that of a list whose records move has the hour in it.
  server = await testResourceServer({ now: () => AT });
  shop = await server.newShop();
  const rows = Array.from({ length: 20 }, (_, i) => ({ id: `r${i}`, inserted_at: AT + i, updated_at: AT + i }));
  await insertRows(server.owner, shop.id, rows);
  await server.owner`INSERT INTO survey.stamps (shop_id, stamp, counted) VALUES (${shop.id}, now(), now())`;
});
afterAll(() => server.close());

async function usageOf({ id }: TestShop): Promise<readonly object[]> {
  await server.usage.store();
  return await server.owner`
    SELECT sum(calls)::int AS calls, sum(records)::int AS records FROM oauth.api_usage WHERE shop_id = ${id}`;
}

describe("HEAD answers as GET does, without the body", () => {
  test("at every address that GET has", async () => {
    const routes = routesOf(server.app).filter(({ method }) => method === "GET");
    expect(routes.length).toBeGreaterThan(5);
    for (const { path } of routes) {
      expect(await expectHeadLikeGet(server.url + path, { authorization: shop.apiKey })).toBe(200);
    }
  });

  test("with its entity tag, its length, compressed or not; for refusals, and where nothing changed", async () => {
    const url = `${server.url}/api/responses`;
    const { headers } = await server.get("/api/responses", shop.apiKey);
    const tag = headers.get("etag") ?? "";
    const authorization = shop.apiKey;
    expect(await expectHeadLikeGet(url, { authorization, "if-none-match": tag })).toBe(304);
    expect(await expectHeadLikeGet(url, { authorization, "accept-encoding": "gzip" })).toBe(200);
    expect(await expectHeadLikeGet(`${url}?limit=0`, { authorization })).toBe(400);
    expect(await expectHeadLikeGet(url)).toBe(401);
    expect(await expectHeadLikeGet(`${server.url}/api/none`)).toBe(404);
    expect(await expectHeadLikeGet(`${server.url}/api/sources`)).toBe(405);
    const head = await fetch(url, { method: "HEAD", headers: { authorization, "accept-encoding": "identity" } });
    expect([head.headers.get("etag"), Number(head.headers.get("content-length")) > 1000]).toEqual([tag, true]);
  });

  test.each(["application/x-ndjson", "text/csv"])("and reads no export (%s) to its end", async (accept) => {
    const large = await server.newShop();
    const rows = Array.from({ length: 4000 }, (_, i) => ({ id: `r${i}`, inserted_at: AT + i, updated_at: AT + i }));
    await insertRows(server.owner, large.id, rows);
    const headers = { authorization: large.apiKey, accept };
    for (let i = 0; i < 4; i++) {
      const answer = await fetch(`${server.url}/api/responses`, { method: "HEAD", headers });
      expect([answer.status, answer.headers.get("content-type")?.split(";")[0]]).toEqual([200, accept]);
    }
    expect(await expectHeadLikeGet(`${server.url}/api/responses`, headers)).toBe(200);
    await expect.poll(() => usageOf(large)).toEqual([{ calls: 6, records: rows.length }]);
  });

  test("counts as a call, and as no record that was read", async () => {
    const fresh = await server.newShop();
    await insertRows(server.owner, fresh.id, [{ id: "a", inserted_at: AT, updated_at: AT }]);
    const headers = { authorization: fresh.apiKey };
    const remaining = async () => {
      const answer = await fetch(`${server.url}/api/responses`, { method: "HEAD", headers });
      return Number(answer.headers.get("x-ratelimit-remaining"));
    };
    expect((await remaining()) - (await remaining())).toBe(1);
    await expect.poll(() => usageOf(fresh)).toEqual([{ calls: 2, records: 0 }]);
  });
});
