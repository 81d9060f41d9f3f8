import { expectHeadLikeGet, routesOf } from "@partner-connect/service-runtime/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "../responses/testing.ts";
import { suiteServer, type TestShop } from "../testing.ts";

const server = await suiteServer();
let shop: TestShop;

const AT = Date.parse("2026-01-01T00:00:00Z");

beforeAll(async () => {
  shop = await server.newShop();
  const rows = Array.from({ length: 20 }, (_, i) => ({ id: `r${i}`, inserted_at: AT + i, updated_at: AT + i }));
  await insertRows(server.owner, shop.id, rows);
});

async function usageOf({ id }: TestShop): Promise<readonly object[]> {
  await server.usage.flush();
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

  test("with its length, compressed or not; for refusals, and where nothing changed", async () => {
    const url = `${server.url}/api/responses`;
    const authorization = shop.apiKey;
    const tag = (await server.get("/api/openapi.json")).headers.get("etag") ?? "";
    expect(await expectHeadLikeGet(`${server.url}/api/openapi.json`, { "if-none-match": tag })).toBe(304);
    expect(await expectHeadLikeGet(url, { authorization, "accept-encoding": "gzip" })).toBe(200);
    expect(await expectHeadLikeGet(`${url}?limit=0`, { authorization })).toBe(400);
    expect(await expectHeadLikeGet(url)).toBe(401);
    expect(await expectHeadLikeGet(`${server.url}/api/none`)).toBe(404);
    expect(await expectHeadLikeGet(`${server.url}/api/sources`)).toBe(405);
    const head = await fetch(url, { method: "HEAD", headers: { authorization, "accept-encoding": "identity" } });
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1000);
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
