import { addClientMember, removeClientMember } from "@partner-connect/directory";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { refused } from "../../testing.ts";

const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
const { sql, cli } = await operatorOnOwnDatabase({ REDIS_URL: redis.url });
afterAll(() => redis.drop());

const OWNER = "pat@partner.example";
const password = ["--password", "correct horse battery", "--name", "Pat"];
await cli.json("merchant", "create", "--email", OWNER, ...password);
const client = ["--redirect-uri", "https://lookout.example/", "--scope", "responses:read"];
const { client_id } = await cli.json("client", "create", "--name", "Lookout", ...client);

const create = (name: string) => cli("shop", "create", "--name", name, "--owner", OWNER, "--test", client_id, "--json");

test("who joins the client is a member of its test shops, and who leaves is not", async () => {
  const shopId = JSON.parse((await create("Team")).stdout).id;
  expect(await cli.json("shop", "show", shopId)).toMatchObject({ test_of: client_id });
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
