import { disable, enable, revoke } from "@partner-connect/connections";
import { eraseShop } from "@partner-connect/erasure";
import { expect, test } from "vitest";
import { askAs, connectShop, expectRefused } from "../testing/partner-calls.ts";
import { BASE_URL, type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";

const OPERATOR = { name: "operator:test" };
const PATH = "/oauth/api/connections";
const NO_TIMES = { connected_at: null, last_used_at: null, expires_at: null };

const replicas = await suiteReplicas(1);

const ask = (client: RegisteredClient, query = "") => askAs(replicas, client, `${PATH}${query}`);

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
async function list(client: RegisteredClient, query = ""): Promise<any> {
  const answer = await ask(client, query);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json();
}

const connect = (client: RegisteredClient, how?: Parameters<typeof connectShop>[2]) =>
  connectShop(replicas, client, how);

async function clientWith(count: number) {
  const client = await replicas.registerClient({ scope: ["responses:read", "sources:write"] });
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push((await connect(client)).id);
  return { client, ids: ids.toSorted() };
}

const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
const queryOf = (url: string | null): string =>
  url?.slice(`${BASE_URL}${PATH}`.length) ?? expect.fail("no link");

test("GET /oauth/api/connections lists each of a client's connections with shop, status, scope and times", async () => {
  const { client } = await clientWith(0);
  const connected = await connect(client);
  await replicas.sql`UPDATE directory.shops SET name = 'Tea & Co', domain = 'tea.example' WHERE id = ${connected.shopId}`;
  const standard = await connect(client, { plan: "standard" });
  const { data, prev, next } = await list(client);
  expect([prev, next, data.length]).toEqual([null, null, 2]);
  const row = data.find(({ id }: { id: string }) => id === connected.id);
  expect(row).toEqual({
    id: connected.id,
    shop: { id: connected.shopId, name: "Tea & Co", domain: "tea.example" },
    status: "connected",
    scope: "responses:read sources:write",
    connected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    last_used_at: row.connected_at,
    expires_at: new Date(Date.parse(row.last_used_at) + 30 * 86_400_000).toISOString(),
  });
  expect(data.find(({ id }: { id: string }) => id === standard.id)).toMatchObject({
    scope: "responses:read",
    shop: { domain: null },
  });
});

test("GET /oauth/api/connections shows each connection's current status, and filters by that status", async () => {
  const { client } = await clientWith(0);
  const [expired, held] = [await connect(client), await connect(client)];
  const [ended, again] = [await connect(client), await connect(client)];
  await replicas.sql`UPDATE oauth.connections SET last_used_at = '2026-01-01' WHERE shop_id = ${expired.shopId}`;
  await disable(replicas.sql, held, OPERATOR);
  await revoke(replicas.sql, ended, OPERATOR);
  await revoke(replicas.sql, again, OPERATOR);
  await replicas.approveAndIssueCode({ ...client, ...again });
  const { data } = await list(client);
  const of = (id: string) => data.find((row: { id: string }) => row.id === id);
  // A new approval clears the times of the previous connection.
  expect(of(again.id)).toMatchObject(NO_TIMES);
  const one = { expired, disabled: held, revoked: ended, approved: again };
  for (const [status, { id }] of Object.entries(one)) {
    const listed = await list(client, `?status=${status}`);
    expect([status, of(id).status, idsOf(listed)]).toEqual([status, status, [id]]);
  }
  expect(idsOf(await list(client, `?id=${held.id}&status=revoked`))).toEqual([]);
  expect(idsOf(await list(await replicas.registerClient(), `?id=${held.id}`))).toEqual([]);
  await enable(replicas.sql, held, OPERATOR);
  expect(idsOf(await list(client, "?status=connected"))).toEqual([held.id]);
});

test("until a first code is exchanged, GET /oauth/api/connections neither lists the connection nor accepts its id as a cursor", async () => {
  const { client, ids } = await clientWith(1);
  const { id } = await connect(client, { exchanged: false });
  expect(idsOf(await list(client))).toEqual(ids);
  expect((await ask(client, `?starting_after=${id}`)).json().param).toBe("starting_after");
});

test("GET /oauth/api/connections links its pages in both directions on the public URL, with limit and status", async () => {
  const { client, ids } = await clientWith(5);
  const { client: other } = await clientWith(1);
  const pages: string[][] = [];
  expect((await ask(client, "?shop=a")).headers["x-ignored-parameters"]).toBe("shop");
  let page = await list(client, "?limit=2&status=connected&unknown=1");
  expect(page.prev).toBeNull();
  expect(page.next).toBe(`${BASE_URL}${PATH}?limit=2&status=connected&starting_after=${ids[1]}`);
  for (;;) {
    pages.push(idsOf(page));
    if (page.next === null) break;
    page = await list(client, queryOf(page.next));
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect(page.prev).toBe(`${BASE_URL}${PATH}?limit=2&status=connected&ending_before=${ids[4]}`);
  page = await list(client, queryOf(page.prev));
  expect(idsOf(page)).toEqual(ids.slice(2, 4));
  page = await list(client, queryOf(page.prev));
  expect([idsOf(page), page.prev]).toEqual([ids.slice(0, 2), null]);
  expect(page.next).not.toBeNull();
  expect(await list(client, `?starting_after=${ids[4]}`)).toMatchObject({
    data: [],
    prev: null,
    next: null,
  });
  expect((await list(other)).data).toHaveLength(1);
});

test("GET /oauth/api/connections lists the connections of erased shops as revoked, without names, in the order of ids", async () => {
  const { client, ids } = await clientWith(5);
  const { client: other } = await clientWith(1);
  await connect(client, { exchanged: false });
  const rows = await replicas.sql<{ id: string; shop: string }[]>`
      SELECT id, shop_id AS shop FROM oauth.connections WHERE client_id = ${client.clientId} ORDER BY id`;
  const shopOf = (id: string) => rows.find((row) => row.id === id)?.shop ?? "";
  const erased = ids.filter((_, index) => index % 2 === 0);
  const unfinished = rows.map(({ id }) => id).filter((id) => !ids.includes(id));
  for (const id of [...erased, ...unfinished]) await eraseShop(replicas.sql, shopOf(id), OPERATOR);
  const { data } = await list(client);
  expect(idsOf({ data })).toEqual(ids);
  const shop = { id: shopOf(ids[0] ?? ""), name: null, domain: null };
  expect(data[0]).toEqual({ id: ids[0], shop, status: "revoked", scope: "", ...NO_TIMES });
  expect(idsOf(await list(client, "?status=revoked"))).toEqual(erased);
  expect(idsOf(await list(client, `?id=${erased[1]}`))).toEqual([erased[1]]);
  expect(idsOf(await list(client, "?status=connected"))).toEqual(
    ids.filter((id) => !erased.includes(id)),
  );
  const page = await list(client, `?status=connected&starting_after=${erased[0]}`);
  expect([idsOf(page), page.prev]).toEqual([ids.filter((id) => !erased.includes(id)), null]);
  expect((await list(other)).data).toHaveLength(1);
  expect((await ask(other, `?starting_after=${erased[0]}`)).statusCode).toBe(400);
});

test("GET /oauth/api/connections accepts a cursor whose connection the status filter excludes", async () => {
  const { client, ids } = await clientWith(3);
  const [row] =
    await replicas.sql`SELECT shop_id FROM oauth.connections WHERE id = ${ids[0] ?? ""}`;
  await revoke(replicas.sql, { id: ids[0] ?? "", shopId: row?.["shop_id"] as string }, OPERATOR);
  const page = await list(client, `?status=connected&starting_after=${ids[0]}`);
  expect([idsOf(page), page.prev]).toEqual([ids.slice(1), null]);
  expect((await list(client, `?starting_after=${ids[0]}`)).prev).toContain(
    `ending_before=${ids[1]}`,
  );
});

test("GET /oauth/api/connections refuses a wrong parameter with 400 and the parameter's name", async () => {
  await expectRefused(replicas, PATH, [
    ["limit", "limit=0"],
    ["status", "status=gone"],
    ["id", "id=%00"],
    ["status", "status=connected&status=revoked"],
    ["starting_after", "starting_after=con_00000000000000000000000000000000"],
    ["starting_after", "starting_after=%00"],
    ["ending_before", "ending_before=con_00000000000000000000000000000000"],
    ["ending_before", "starting_after=a&ending_before=a"],
  ]);
});

test("GET /oauth/api/connections treats another client's connection as an unknown cursor", async () => {
  const { client } = await clientWith(1);
  const { ids } = await clientWith(1);
  const [another, none] = await Promise.all([
    ask(client, `?starting_after=${ids[0]}`),
    ask(client, "?starting_after=con_0"),
  ]);
  expect([another.statusCode, another.json()]).toEqual([400, none.json()]);
});
