import { disable } from "@partner-connect/connections";
import { connect } from "@partner-connect/connections/testing";
import { onboardClient, TEST_OPERATOR } from "@partner-connect/directory/testing";
import { ndjson, shopKeeper } from "@partner-connect/survey-data/testing";
import { expect, test } from "vitest";
import { suiteInternalApi } from "./testing.ts";

const { owner, call } = await suiteInternalApi();
const SHOP = { name: "Hats", domain: "hats.example", plan: "standard" };

const get = async (path: string) => {
  const { status, body } = await call("GET", `/internal/shops/${path}`);
  return [status, body];
};

/** Creates a shop with a member, and a connection to a new client, last refreshed `daysAgo`. */
async function newConnection(shopId: string, { daysAgo = 0, exchanged = true } = {}) {
  await call("PUT", "/internal/merchants/7", { email: "anna@shop.example", name: "Anna" });
  await call("PUT", `/internal/shops/${shopId}`, SHOP);
  await call("PUT", `/internal/shops/${shopId}/members/7`);
  const { clientId } = await onboardClient(owner);
  await connect(owner, { shopId, clientId, merchantId: "7", exchanged });
  const of = owner`WHERE shop_id = ${shopId} AND client_id = ${clientId}`;
  const at = new Date(Date.now() - daysAgo * 86_400_000);
  if (daysAgo > 0) await owner`UPDATE oauth.connections SET last_used_at = ${at} ${of}`;
  const [row] = await owner<
    { id: string; last_used_at: Date }[]
  >`SELECT id, last_used_at FROM oauth.connections ${of}`;
  return { id: row?.id ?? "", shopId, clientId, lastUsedAt: row?.last_used_at?.toISOString() };
}

test("GET of a shop returns exact counts and the latest updated_at of its responses", async () => {
  const path = "s1";
  await newConnection(path);
  const read = { id: path, ...SHOP };
  const none = { responses: 0, questions: 0, members: 1, connections: 1 };
  expect(await get(path)).toEqual([200, { ...read, counts: none, updated_at: null }]);
  for (const how of [{ exchanged: false }, { daysAgo: 31 }]) await newConnection(path, how);
  await disable(owner, await newConnection(path), TEST_OPERATOR);
  const keeper = shopKeeper(owner);
  const at = (inserted_at: string, updated_at = inserted_at) =>
    keeper.importInto(path, { question: "Who?", response: "TV", inserted_at, updated_at });
  await at("2026-01-02T00:00:00Z");
  await at("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z");
  await keeper.importQuestions(path, ndjson({ id: 1, prompt: "Who?", type: "open_ended" }));
  const counts = { ...none, responses: 2, questions: 1 };
  expect(await get(path)).toEqual([
    200,
    { ...read, counts, updated_at: "2026-01-03T00:00:00.000Z" },
  ]);
  await at("2026-01-04T00:00:00Z");
  expect(await get(path)).toMatchObject([200, { updated_at: "2026-01-04T00:00:00.000Z" }]);
});

test("a shop's connections are listed with their clients", async () => {
  const connected = await newConnection("s2");
  const expired = await newConnection("s2", { daysAgo: 31 });
  await newConnection("s2", { exchanged: false });
  const listed = ({ id, clientId, lastUsedAt }: typeof connected, status: string) => ({
    ...{ id, client_id: clientId, client_name: "Lookout", status, scope: "responses:read" },
    ...{ connected_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), last_used_at: lastUsedAt },
  });
  const data = [listed(connected, "connected"), listed(expired, "expired")];
  expect(await get("s2/connections")).toEqual([200, { data }]);
});

test("reading a shop or its connections is refused if the shop is unknown, being erased or a test shop", async () => {
  const { clientId } = await newConnection("s3");
  await call("DELETE", "/internal/shops/s3");
  await owner`INSERT INTO directory.shops (id, name, plan, test_of) VALUES ('test', 'T', 'standard', ${clientId})`;
  for (const [shop, status] of [
    ["none", 404],
    ["s3", 404],
    ["test", 409],
  ] as const) {
    for (const path of [shop, `${shop}/connections`])
      expect([path, (await get(path))[0]]).toEqual([path, status]);
  }
});

test("a DELETE ends only a connection of the shop in its path, even if the connection is disabled", async () => {
  const [one, held, other] = [
    await newConnection("s4"),
    await newConnection("s4"),
    await newConnection("s5"),
  ];
  await disable(owner, held, TEST_OPERATOR);
  const mails = () => owner`
    SELECT data -> 'about' AS about FROM worker_jobs.job
    WHERE data ->> 'kind' = 'app_disconnected' AND data ->> 'merchant_id' = '7'
    ORDER BY data -> 'about' ->> 'connection_id'`;
  for (const { id } of [one, held, one, other]) {
    expect((await call("DELETE", `/internal/shops/s4/connections/${id}`)).status).toBe(204);
  }
  const rows =
    await owner`SELECT id, status FROM oauth.connections WHERE id = ANY (${[one, held, other].map(({ id }) => id)})`;
  expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
    ...{ [one.id]: "revoked", [held.id]: "revoked", [other.id]: "connected" },
  });
  expect(await mails()).toEqual(
    [one, held].map(({ id, clientId }) => ({
      about: { client_id: clientId, connection_id: id, by: "product", app: "Lookout" },
    })),
  );
  const audited = await owner`
    SELECT connection_id, actor FROM oauth.audit_log WHERE shop_id = 's4' AND event = 'revoke' ORDER BY id`;
  expect(audited).toEqual(
    [one, held].map(({ id }) => ({ connection_id: id, actor: "product:survey" })),
  );
});
