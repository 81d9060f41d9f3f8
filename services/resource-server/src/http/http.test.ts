import { expectHeadLikeGet, routesOf } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { insertRows, rowsFrom } from "../responses/testing.ts";
import { suiteServer } from "../testing.ts";

const server = await suiteServer();

const AT = Date.parse("2026-01-01T00:00:00Z");

const shop = await server.newShop();
await insertRows(server.owner, shop.id, rowsFrom(AT, 20));

test.each(
  "/ /api/ /api/responses/ /api//responses /api/Responses /api/responses%2f /api/%zz".split(" "),
)("the unknown path %s gets 404", async (path) => {
  const response = await fetch(server.url + path);
  expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
  expect(response.headers.get("x-request-id")).toMatch(/./);
});

test.each([
  ["POST", "/api/responses", "GET, HEAD"],
  ["HEAD", "/api/sources", "POST"],
  ["PUT", "/api/questions?x=1", "GET, HEAD"],
  ["DELETE", "/api/sources", "POST"],
  ["GET", "/api/sources", "POST"],
  ["OPTIONS", "/api/sources", "POST"],
  ["QUERY", "/api/sources", "POST"],
])("%s %s gets 405 with the allowed methods %s", async (method, path, allow) => {
  const headers = { origin: "https://evil.example", "x-http-method-override": "GET" };
  const response = await fetch(server.url + path, { method, headers });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  if (method !== "HEAD") expect(await response.text()).toBe('{"error":"method_not_allowed"}');
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect(response.headers.get("x-request-id")).toMatch(/./);
});

test("HEAD on every GET route gets the response of GET without the body", async () => {
  const routes = routesOf(server.app).filter(({ method }) => method === "GET");
  expect(routes.length).toBeGreaterThan(5);
  for (const { path } of routes) {
    expect(await expectHeadLikeGet(server.url + path, { authorization: shop.apiKey })).toBe(200);
  }
});

test("HEAD gets the headers of GET without the body, even if the response is compressed, a refusal or 304", async () => {
  const url = `${server.url}/api/responses`;
  const authorization = shop.apiKey;
  const tag = (await server.get("/api/openapi.json")).headers.get("etag") ?? "";
  expect(await expectHeadLikeGet(`${server.url}/api/openapi.json`, { "if-none-match": tag })).toBe(
    304,
  );
  expect(await expectHeadLikeGet(url, { authorization, "accept-encoding": "gzip" })).toBe(200);
  expect(await expectHeadLikeGet(`${url}?limit=0`, { authorization })).toBe(400);
  expect(await expectHeadLikeGet(url)).toBe(401);
  expect(await expectHeadLikeGet(`${server.url}/api/none`)).toBe(404);
  expect(await expectHeadLikeGet(`${server.url}/api/sources`)).toBe(405);
  const head = await fetch(url, {
    method: "HEAD",
    headers: { authorization, "accept-encoding": "identity" },
  });
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1000);
});

test.each([
  ["gzip;q=0, *", "br"],
  ["*", "gzip"],
  ["gzip;q=0, br;q=0, zstd;q=0, *", null],
  ["*;q=0", null],
])("for Accept-Encoding '%s' the Content-Encoding is %s", async (accepted, coding) => {
  const headers = { authorization: shop.apiKey, "accept-encoding": accepted };
  const { headers: answered } = await fetch(`${server.url}/api/responses`, { headers });
  expect(answered.get("content-encoding")).toBe(coding);
});

test("HEAD is counted as a call that read no record", async () => {
  const fresh = await server.newShop();
  await insertRows(server.owner, fresh.id, [{ id: "a", inserted_at: AT, updated_at: AT }]);
  const headers = { authorization: fresh.apiKey };
  const { headers: counted } = await fetch(`${server.url}/api/responses`, {
    method: "HEAD",
    headers,
  });
  expect(counted.get("x-ratelimit-remaining")).toBe("999999");
  const usage = async () => {
    await server.usage.flush();
    return await server.owner`
        SELECT calls::int, records::int FROM oauth.api_usage WHERE shop_id = ${fresh.id}`;
  };
  await expect.poll(usage).toEqual([{ calls: 1, records: 0 }]);
});
