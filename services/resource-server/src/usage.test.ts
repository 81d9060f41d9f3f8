import { once } from "node:events";
import { request } from "node:http";
import { refusalsOfClient } from "@partner-connect/connections/activity";
import { expect, test } from "vitest";
import { insertRows, rowsFrom } from "./responses/testing.ts";
import { shopOfLargePages } from "./testing/large-pages.ts";
import { suiteServer, type TestShop } from "./testing.ts";
import { addUsage } from "./usage.ts";

const server = await suiteServer();
let shop: TestShop;

/** Makes a shop with `responses` responses; returns a function that calls the API for it. */
async function shopWith(responses: number) {
  shop = await server.newShop();
  await insertRows(server.owner, shop.id, rowsFrom(1_000_000, responses));
  return (path: string, headers: Record<string, string> = {}) =>
    server.get(path, `Bearer ${shop.token}`, headers);
}

/** The shop's stored usage, over all hours. */
async function stored() {
  await server.usage.flush();
  return await server.owner`
    SELECT caller_id, sum(calls)::int AS calls, sum(records)::int AS records, sum(refused)::int AS refused, sum(failed)::int AS failed
    FROM oauth.api_usage WHERE shop_id = ${shop.id} GROUP BY caller_id ORDER BY caller_id`;
}

const of = (calls: number, records: number, refused = 0, failed = 0) => [
  { caller_id: shop.connectionId, calls, records, refused, failed },
];

test("usage is counted per connection and per API key, with calls, records, refusals and failures", async () => {
  const get = await shopWith(250);
  expect(
    ((await (await get("/api/responses?limit=10")).json()) as { data: unknown[] }).data,
  ).toHaveLength(10);
  await (await get("/api/responses?limit=1000")).arrayBuffer();
  await (await get("/api/questions")).arrayBuffer();
  await (await get("/api/responses?limit=200", { "accept-encoding": "gzip" })).text();
  await expect.poll(stored).toEqual(of(4, 10 + 250 + 200));
  expect((await get("/api/responses?limit=x")).status).toBe(400);
  await (await server.get("/api/responses?limit=7", shop.apiKey)).arrayBuffer();
  await expect
    .poll(stored)
    .toEqual([
      ...of(5, 460, 1),
      { caller_id: shop.apiKeyId, calls: 1, records: 7, refused: 0, failed: 0 },
    ]);
  await server.owner`REVOKE SELECT ON survey.questions FROM resource_server`;
  expect((await get("/api/questions")).status).toBe(503);
  await server.owner`GRANT SELECT ON survey.questions TO resource_server`;
  await expect
    .poll(async () => (await stored())[0])
    .toMatchObject({ calls: 6, refused: 1, failed: 1 });
  const [{ hour } = { hour: null }] =
    await server.owner`SELECT hour FROM oauth.api_usage WHERE shop_id = ${shop.id}`;
  expect(Math.abs(Date.now() - Number(hour))).toBeLessThan(2 * 3_600_000);
  expect(Number(hour) % 3_600_000).toBe(0);
});

test("a client's refused calls are stored with their request ids and without anything that the caller sent", async () => {
  const get = await shopWith(1);
  const secret = "hostile-4711";
  const headers = { authorization: `Bearer ${shop.token}`, "content-type": "application/json" };
  const bad = await Promise.all([
    get(`/api/responses?limit=${secret}`),
    get(`/api/responses?limit=%ff${secret}`, {
      cookie: secret,
      "user-agent": secret,
      origin: secret,
    }),
    get(`/api/responses?starting_after=${secret}`, { "x-request-id": secret }),
    fetch(`${server.url}/api/sources?a=${secret}`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": secret },
      body: JSON.stringify({ name: secret, [secret]: secret, type: secret }),
    }),
  ]);
  const ids = bad.map(({ headers }) => headers.get("x-request-id"));
  const kept = async () => {
    await server.usage.flush();
    return await refusalsOfClient(server.owner, shop.clientId, {}, 100);
  };
  await expect
    .poll(async () => (await kept()).map(({ requestId }) => requestId).toSorted())
    .toEqual(ids.toSorted());
  const all = await kept();
  expect(all.find(({ requestId }) => requestId === ids[0])).toEqual({
    what: "refused",
    reason: "invalid_parameter",
    at: expect.any(Date),
    requestId: ids[0],
    call: "GET /api/responses",
    status: 400,
    error: "invalid_request",
    param: "limit",
    connectionId: shop.connectionId,
    sent: null,
    kept: expect.any(Number),
  });
  expect(JSON.stringify(all)).not.toContain(secret);
  expect(JSON.stringify(all)).not.toContain(shop.token);
});

test("the usage of a connection counts refused calls after its revocation, and no call with an invalid token", async () => {
  const get = await shopWith(1);
  await server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${shop.connectionId}`;
  expect((await get("/api/responses")).status).toBe(403);
  expect((await server.get("/api/responses", "Bearer x.y.z")).status).toBe(401);
  await expect.poll(stored).toEqual(of(1, 0, 1));
});

test("if the caller disconnects during a page, the usage counts the call and all records of the page", async () => {
  // The page exceeds a connection's buffers, so not all is sent before its caller has left.
  shop = await shopOfLargePages(server);
  const outgoing = request(`${server.url}/api/responses?limit=1000`, {
    headers: { authorization: `Bearer ${shop.token}` },
  });
  outgoing.on("error", () => {}).end();
  const [incoming] = await once(outgoing, "response");
  await once(incoming, "data");
  incoming.destroy();
  await expect.poll(stored).toEqual(of(1, 1000));
});

test("two replicas that store the usage of the same callers in opposite orders cause no deadlock", async () => {
  await shopWith(0);
  const usages = Array.from({ length: 300 }, (_, n) => ({
    shopId: shop.id,
    callerId: `key_${n}`,
    ...{ hour: 0, calls: 1, records: 0, refused: 0, failed: 0 },
  }));
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([
      addUsage(server.owner, usages),
      addUsage(server.owner, usages.toReversed()),
    ]);
  }
  expect(
    await server.owner`SELECT DISTINCT calls::int FROM oauth.api_usage WHERE shop_id = ${shop.id}`,
  ).toEqual([{ calls: 30 }]);
});
