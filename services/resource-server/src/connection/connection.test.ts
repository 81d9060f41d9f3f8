import { expect, test } from "vitest";
import { suiteServer, type TestShop } from "../testing.ts";

const server = await suiteServer();

async function read(authorization: string): Promise<Record<string, unknown>> {
  const response = await server.get("/api/connection", authorization);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const DAY = 86_400_000;

async function used(shop: TestShop, at: Date): Promise<void> {
  await server.owner`
    UPDATE oauth.connections SET exchanged_at = connected_at, last_used_at = ${at} WHERE id = ${shop.connectionId}`;
}

test("GET /api/connection returns the connection's shop, client, scope and times", async () => {
  const shop = await server.newShop({ plan: "advanced_attribution" });
  await server.owner`UPDATE directory.shops SET name = 'Tea & Co', domain = 'tea.example' WHERE id = ${shop.id}`;
  await server.owner`
      UPDATE oauth.connections SET connected_at = '2026-03-04T05:06:07.089Z' WHERE id = ${shop.connectionId}`;
  const at = new Date("2026-11-01T02:03:04.567Z");
  await used(shop, at);
  expect(await read(`Bearer ${shop.token}`)).toEqual({
    id: shop.connectionId,
    shop: { id: shop.id, name: "Tea & Co", domain: "tea.example", plan: "advanced_attribution" },
    client_id: shop.clientId,
    scope: "responses:read sources:write",
    connected_at: "2026-03-04T05:06:07.089Z",
    last_used_at: at.toISOString(),
    expires_at: new Date(at.getTime() + 30 * DAY).toISOString(),
  });
});

test("for an API key, GET /api/connection returns the shop and the scope that its plan allows", async () => {
  const shop = await server.newShop({ plan: "standard" });
  const { shop: named, ...rest } = await read(shop.apiKey);
  expect(named).toEqual({
    id: shop.id,
    name: expect.any(String),
    domain: null,
    plan: "standard",
  });
  expect(rest).toEqual({
    id: null,
    client_id: null,
    scope: "responses:read",
    connected_at: null,
    last_used_at: null,
    expires_at: null,
  });
});

test("GET /api/connection shows only the scope that token, connection and plan all have", async () => {
  const shop = await server.newShop({ plan: "advanced_attribution" });
  const write = await server.issuer.sign(server.claims(shop, { scope: "sources:write" }));
  expect((await read(`Bearer ${write}`))["scope"]).toBe("sources:write");
  await server.owner`UPDATE oauth.connections SET scope = '{responses:read}' WHERE id = ${shop.connectionId}`;
  expect((await read(`Bearer ${write}`))["scope"]).toBe("");
  expect((await read(`Bearer ${shop.token}`))["scope"]).toBe("responses:read");
  await server.owner`UPDATE oauth.connections SET scope = '{sources:write}' WHERE id = ${shop.connectionId}`;
  expect((await read(`Bearer ${shop.token}`))["scope"]).toBe("sources:write");
  await server.owner`UPDATE directory.shops SET plan = 'standard' WHERE id = ${shop.id}`;
  expect((await read(`Bearer ${shop.token}`))["scope"]).toBe("");
  expect((await read(shop.apiKey))["scope"]).toBe("responses:read");
});

test("GET /api/connection accepts a token without a scope, which GET /api/responses refuses", async () => {
  const shop = await server.newShop();
  const token = await server.issuer.sign(server.claims(shop, { scope: "" }));
  expect((await read(`Bearer ${token}`))["scope"]).toBe("");
  const refused = await server.get("/api/responses", `Bearer ${token}`);
  expect([refused.status, await refused.text()]).toEqual([403, '{"error":"insufficient_scope"}']);
});

test("GET /api/connection shows no expiry while a new approval waits for its exchange", async () => {
  const shop = await server.newShop();
  await used(shop, new Date());
  await server.owner`UPDATE oauth.connections SET exchanged_at = NULL WHERE id = ${shop.connectionId}`;
  expect((await read(`Bearer ${shop.token}`))["expires_at"]).toBeNull();
});

test("GET /api/connection returns the rate limit's headers and allows no shared cache", async () => {
  const shop = await server.newShop();
  const { headers } = await server.get("/api/connection", shop.apiKey);
  expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
  expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
    "private, no-cache",
    "authorization",
  ]);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
});
