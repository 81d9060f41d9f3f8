import { approve, exchange } from "@partner-connect/connections";
import { addClientMember, removeClientMember, requestTestShopChange, testShopsOf } from "@partner-connect/directory";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { afterAll, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { refused } from "../../testing.ts";

const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
const { sql, cli } = await operatorOnOwnDatabase({ REDIS_URL: redis.url });
afterAll(() => redis.drop());

const OWNER = "pat@partner.example";
const password = ["--password", "correct horse battery", "--name", "Pat"];
const merchant = await cli.json("merchant", "create", "--email", OWNER, ...password);
const client = ["--redirect-uri", "https://lookout.example/", "--scope", "responses:read"];
const { client_id } = await cli.json("client", "create", "--name", "Lookout", ...client);

const create = (name: string) => cli("shop", "create", "--name", name, "--owner", OWNER, "--test", client_id, "--json");

async function newTestShop(name: string): Promise<string> {
  return JSON.parse((await create(name)).stdout).id;
}

/** A minute later. */
async function runTests() {
  await sql`UPDATE directory.test_shops SET next_step_at = now()`;
  return await cli.json("shop", "run-tests", "--once");
}

async function changesOf(shopId: string) {
  const [counts] = await sql`
    SELECT (SELECT count(*)::int FROM survey.responses WHERE shop_id = ${shopId}) AS responses,
      (SELECT count(*)::int FROM survey.responses WHERE shop_id = ${shopId} AND updated_at > s.created_at) AS later,
      (SELECT count(*)::int FROM survey.deleted_responses WHERE shop_id = ${shopId}) AS deleted,
      (SELECT count(*)::int FROM oauth.audit_log WHERE shop_id = ${shopId} AND event LIKE 'response_%') AS records
    FROM directory.shops s WHERE s.id = ${shopId}`;
  return counts;
}

test("a test shop is filled, changes every minute while its client reads it, and is erased when it has ended", async () => {
  const shopId = await newTestShop("Try");
  expect(await cli.json("shop", "show", shopId)).toMatchObject({ test_of: client_id });
  expect(await runTests()).toEqual({ filled: 1, changed: 0, erased: 0 });
  expect(await changesOf(shopId)).toEqual({ responses: 2000, later: 0, deleted: 0, records: 1 });

  expect(await runTests(), "nobody reads it").toEqual({ filled: 0, changed: 0, erased: 0 });
  const key = { shopId, clientId: client_id, grantId: "g" };
  await approve(
    sql,
    { ...key, merchantId: merchant.id, scope: ["responses:read"] },
    { name: `merchant:${merchant.id}` },
  );
  await exchange(sql, { ...key, refreshTokenHash: Buffer.from("g") }, { name: `client:${client_id}` });
  for (let minute = 0; minute < 3; minute++) {
    expect(await runTests()).toEqual({ filled: 0, changed: 1, erased: 0 });
  }
  const changed = await changesOf(shopId);
  expect(changed).toMatchObject({ deleted: 2000 + 3 * 2 - Number(changed?.["responses"]), records: 1 });
  expect(changed?.["deleted"]).toBeGreaterThanOrEqual(3);
  expect(changed?.["later"]).toBeGreaterThanOrEqual(3);

  await sql`UPDATE directory.test_shops SET ended_at = now() WHERE shop_id = ${shopId}`;
  expect(await runTests()).toEqual({ filled: 0, changed: 0, erased: 1 });
  expect(await cli("shop", "show", shopId)).toEqual(refused(/there is no shop/));
  expect(await changesOf(shopId)).toBeUndefined();
});

test("what a partner requests is done to a test shop's responses, on record, and counted", async () => {
  const shopId = await newTestShop("Asked");
  await runTests();
  const shop = { shopId, clientId: client_id };
  const actor = { name: `merchant:${merchant.id}` };
  const asked = async (change: "add" | "recategorize" | "delete") => {
    expect(await requestTestShopChange(sql, shop, change, actor)).toBe(true);
    expect(await requestTestShopChange(sql, shop, change, actor), "while another is not done").toBe(false);
    expect(await cli.json("shop", "run-tests", "--once")).toEqual({ filled: 0, changed: 1, erased: 0 });
    const [found] = await testShopsOf(sql, client_id).then((shops) => shops.filter((each) => each.shopId === shopId));
    return [found?.responses, found?.lastChange, found?.change];
  };
  expect(await asked("add")).toEqual([2020, { change: "add", count: 20 }, null]);
  expect(await asked("recategorize")).toEqual([2020, { change: "recategorize", count: 5 }, null]);
  expect(await asked("delete")).toEqual([2019, { change: "delete", count: 1 }, null]);
  const records = await sql`
    SELECT event, actor FROM oauth.audit_log WHERE shop_id = ${shopId} AND event LIKE 'response_%' AND actor <> 'system' ORDER BY id`;
  expect(records.map(({ event, actor }) => [event, actor])).toEqual(
    ["response_import", "response_recategorize", "response_delete"].map((event) => [event, actor.name]),
  );

  await importResponses(sql, { shopId, lines: generateResponses({ count: 2962, seed: "more", to: Date.now() }) }, null);
  expect(await asked("add"), "4,981 and 20 are too many").toEqual([4981, { change: "add", count: 0 }, null]);
  await sql`DELETE FROM survey.responses WHERE shop_id = ${shopId}`;
  expect(await asked("recategorize")).toEqual([0, { change: "recategorize", count: 0 }, null]);
  expect(await asked("delete")).toEqual([0, { change: "delete", count: 0 }, null]);
  await cli.json("shop", "erase", shopId, "--yes");
});

test("two processes take each step once", async () => {
  const shopId = await newTestShop("Twice");
  const both = await Promise.all([cli.json("shop", "run-tests", "--once"), cli.json("shop", "run-tests", "--once")]);
  expect(both.map(({ filled }) => filled).sort()).toEqual([0, 1]);
  await cli.json("shop", "erase", shopId, "--yes");
});

test("who joins the client is a member of its test shops, and who leaves is not", async () => {
  const shopId = await newTestShop("Team");
  const email = "uma@partner.example";
  const uma = await cli.json("merchant", "create", "--email", email, ...password);
  const isInShop = async () =>
    (await cli.json("shop", "show", shopId)).members.some(
      (member: Record<string, unknown>) => member["email"] === email,
    );
  const operator = { name: "operator:otto" };
  await addClientMember(sql, { clientId: client_id, email }, operator);
  expect(await isInShop()).toBe(true);
  await removeClientMember(sql, { clientId: client_id, merchantId: uma.id }, operator);
  expect(await isInShop()).toBe(false);
  await cli.json("shop", "erase", shopId, "--yes");
});

test("a client has five test shops at most, also when six are made at once, and they go with the client", async () => {
  const made = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => create(`Shop ${number}`)));
  const [refusal, ...others] = made.filter(({ code }) => code !== 0);
  expect(others).toEqual([]);
  expect(JSON.parse(refusal?.stderr ?? "")).toMatchObject({ error: "TOO_MANY_TEST_SHOPS" });
  expect(await cli("shop", "create", "--name", "Sixth", "--owner", OWNER, "--test", client_id)).toEqual(
    refused(/has 5 test shops: delete one/),
  );
  await cli.json("client", "delete", client_id, "--yes");
  expect((await cli.json("shop", "list")).map(({ name }: { name: string }) => name)).toEqual([]);
});

test("a test shop of an unknown client is refused, and makes no shop", async () => {
  const words = ["shop", "create", "--name", "Nobody's", "--owner", OWNER, "--test", "client_none"];
  expect(await cli(...words)).toEqual(refused(/there is no client "client_none"/));
  expect(await cli.json("shop", "list", "--search", "Nobody")).toEqual([]);
});
