import { revoke } from "@partner-connect/connections";
import { appendChanges } from "@partner-connect/connections/changes";
import { expect, test } from "vitest";
import { askAs, changeShop, connectShop, expectRefused } from "../testing/partner-calls.ts";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";

const OPERATOR = { name: "operator:test" };
const PATH = "/oauth/api/changes";

const replicas = await suiteReplicas(1);

interface Page {
  readonly data: readonly {
    readonly connection_id: string;
    readonly shop_id: string;
    readonly kind: string;
    readonly status: string;
    readonly at: string;
  }[];
  readonly cursor: string;
  readonly has_more: boolean;
}

async function read(client: RegisteredClient, query = ""): Promise<Page> {
  const answer = await askAs(replicas, client, `${PATH}${query}`);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json();
}

/** A client with a connected shop, and the cursor after its changes so far. */
async function reader() {
  const client = await replicas.registerClient({ scope: ["responses:read", "sources:write"] });
  const shop = await connectShop(replicas, client);
  await replicas.relay();
  return { client, shop, cursor: (await read(client)).cursor };
}

const kindsOf = ({ data }: Page) => data.map(({ kind }) => kind);

test("GET /oauth/api/changes lists every kind of entry for a new connection, then only the latest entry of each changed kind", async () => {
  const client = await replicas.registerClient({ scope: ["responses:read", "sources:write"] });
  const nothing = await read(client);
  expect(nothing).toEqual({
    data: [],
    cursor: expect.stringMatching(/^[A-Za-z0-9_-]{1,200}$/),
    has_more: false,
  });
  const shop = await connectShop(replicas, client);
  await replicas.relay();
  const first = await read(client, `?after=${nothing.cursor}`);
  expect(kindsOf(first).toSorted()).toEqual("connection deletions questions responses".split(" "));
  expect(first.data[0]).toEqual({
    connection_id: shop.id,
    shop_id: shop.shopId,
    kind: expect.any(String),
    status: "connected",
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(await read(client, `?after=${first.cursor}`)).toEqual({
    data: [],
    cursor: first.cursor,
    has_more: false,
  });
  await changeShop(replicas, shop.shopId, "questions");
  await changeShop(replicas, shop.shopId, "responses");
  await changeShop(replicas, shop.shopId, "questions");
  const next = await read(client, `?after=${first.cursor}`);
  expect(kindsOf(next)).toEqual(["responses", "questions"]);
  expect(kindsOf(await read(client)).toSorted()).toEqual(
    "connection deletions questions responses".split(" "),
  );
});

test("following the cursors of GET /oauth/api/changes while has_more is true returns every entry once, in order", async () => {
  const { client, shop } = await reader();
  const all = await read(client);
  const found: Page["data"][number][] = [];
  let page = await read(client, "?limit=3");
  for (found.push(...page.data); page.has_more; found.push(...page.data)) {
    page = await read(client, `?limit=3&after=${page.cursor}`);
  }
  expect(found).toEqual(all.data);
  expect(page.cursor).toBe(all.cursor);
  expect(found.every(({ shop_id }) => shop_id === shop.shopId)).toBe(true);
});

test("each entry of GET /oauth/api/changes has the connection's current status, even after expiry or erasure", async () => {
  const { client, shop, cursor } = await reader();
  const gone = await connectShop(replicas, client);
  await replicas.relay();
  await revoke(replicas.sql, gone, OPERATOR);
  await replicas.sql`DELETE FROM oauth.connections WHERE shop_id = ${gone.shopId}`;
  await replicas.sql`UPDATE oauth.connections SET last_used_at = '2026-01-01' WHERE shop_id = ${shop.shopId}`;
  await changeShop(replicas, shop.shopId, "responses");
  const { data } = await read(client, `?after=${cursor}`);
  const statuses = new Map(data.map(({ connection_id, status }) => [connection_id, status]));
  expect([gone, shop].map(({ id }) => statuses.get(id))).toEqual(["revoked", "expired"]);
  expect(
    data.filter(({ connection_id }) => connection_id === gone.id).map(({ kind }) => kind),
  ).toEqual(["connection"]);
});

test("the webhook entry in GET /oauth/api/changes is paused while any endpoint of the client is paused", async () => {
  const { client, cursor } = await reader();
  const { client: other } = await reader();
  const { clientId } = client;
  const add = async (of: string, status: "active" | "paused") =>
    await replicas.sql`
        INSERT INTO oauth.webhooks (client_id, url, secrets, sent_number, status) VALUES (${of}, 'https://a.example/', '[]', 0, ${status})`;
  await add(clientId, "active");
  await add(clientId, "paused");
  await add(other.clientId, "paused");
  const webhook = {
    clientId,
    connectionId: "",
    shopId: null,
    kind: "webhook",
    at: new Date(),
  } as const;
  await appendChanges(replicas.sql, [webhook]);
  const told = async () => (await read(client, `?after=${cursor}`)).data;
  const entry = { connection_id: null, shop_id: null, kind: "webhook", at: expect.any(String) };
  expect(await told()).toEqual([{ ...entry, status: "paused" }]);
  await replicas.sql`UPDATE oauth.webhooks SET status = 'active' WHERE client_id = ${clientId}`;
  expect(await told()).toEqual([{ ...entry, status: "active" }]);
});

test("GET /oauth/api/changes lists no entry of another client's connections", async () => {
  const { client, shop, cursor } = await reader();
  const { client: other, shop: elsewhere } = await reader();
  await changeShop(replicas, elsewhere.shopId, "responses");
  expect((await read(client, `?after=${cursor}`)).data).toEqual([]);
  const all = await read(other);
  expect(new Set(all.data.map(({ shop_id }) => shop_id))).toEqual(new Set([elsewhere.shopId]));
  await changeShop(replicas, shop.shopId, "responses");
  expect((await read(other, `?after=${all.cursor}`)).data).toEqual([]);
});

test("GET /oauth/api/changes refuses a wrong parameter with 400 and the parameter's name", async () => {
  await expectRefused(replicas, PATH, [
    ["limit", "limit=0"],
    ["wait", "wait=26"],
    ["wait", "wait=1.5"],
    ["after", "after=%00"],
    ["after", "after=x"],
  ]);
});

test("GET /oauth/api/changes refuses methods other than GET and HEAD with 405", async () => {
  const { statusCode, headers } = await replicas.app().inject({ method: "POST", url: PATH });
  expect([statusCode, headers["allow"]]).toEqual([405, "GET, HEAD"]);
});
