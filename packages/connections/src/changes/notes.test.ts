import { transaction } from "@partner-connect/database";
import { onboardMerchant } from "@partner-connect/directory/testing";
import { shopKeeper } from "@partner-connect/survey-data/testing";
import { beforeEach, expect, test } from "vitest";
import { approve } from "../index.ts";
import { OPERATOR, suiteFeed } from "./testing/test-feed.ts";

const feed = await suiteFeed();
let shopId: string;

beforeEach(async () => {
  shopId = await feed.newShop();
});

/** Returns the kinds that the shop's notes name, note by note, and deletes the notes. */
async function noted(shop = shopId): Promise<string[]> {
  const rows = await feed.owner<{ kinds: string[]; gone: boolean }[]>`
    SELECT kinds, gone FROM oauth.change_notes WHERE shop_id = ${shop} ORDER BY id`;
  await feed.owner`DELETE FROM oauth.change_notes WHERE shop_id = ${shop}`;
  return rows.map(({ kinds, gone }) => `${kinds}${gone ? " gone" : ""}`);
}

async function responses(count: number, shop = shopId): Promise<void> {
  await feed.owner`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shop}, i, now(), now(), '{}' FROM generate_series(1, ${count}) AS i`;
}

test("if a write names no kind, its change note lists all kinds, whatever the previous write named", async () => {
  const all = "responses,deletions,questions";
  await feed.owner`INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, now())`;
  expect(await noted()).toEqual([all]);
  await feed.owner`UPDATE survey.stamps SET stamp = '2030-01-01Z', changes = '{questions}' WHERE shop_id = ${shopId}`;
  await feed.owner`UPDATE survey.stamps SET stamp = '2031-01-01Z' WHERE shop_id = ${shopId}`;
  await feed.owner`UPDATE survey.stamps SET stamp = '2020-01-01Z' WHERE shop_id = ${shopId}`;
  expect(await noted()).toEqual(["questions", all, all]);
});

test("locking a shop without changing it leaves no change note", async () => {
  for (let time = 0; time < 2; time++) {
    await feed.owner`
        INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '-infinity')
        ON CONFLICT (shop_id) DO UPDATE SET stamp = excluded.stamp WHERE false`;
  }
  await feed.owner`UPDATE survey.stamps SET stamp = stamp WHERE shop_id = ${shopId}`;
  expect(await noted()).toEqual([]);
});

test("deleting responses by hand leaves one change note per transaction and shop", async () => {
  const other = await feed.newShop();
  for (let row = 1; row <= 40; row++) {
    await feed.owner`
        INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
        VALUES (${row % 2 ? shopId : other}, ${row}, now(), now(), '{}')`;
  }
  await feed.owner`DELETE FROM survey.responses WHERE shop_id = ANY (${[shopId, other]}::text[])`;
  expect([await noted(), await noted(other)]).toEqual([["deletions"], ["deletions"]]);
});

test("two DELETEs of responses in a transaction with other changes leave one change note", async () => {
  await responses(3);
  await transaction(feed.owner, async (tx) => {
    await tx`
        INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '2030-01-01Z')
        ON CONFLICT (shop_id) DO UPDATE SET stamp = excluded.stamp`;
    await tx`UPDATE survey.stamps SET stamp = '2031-01-01Z', changes = '{responses}' WHERE shop_id = ${shopId}`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${shopId} AND id <= '2'`;
    await tx`DELETE FROM survey.responses WHERE shop_id = ${shopId}`;
  });
  expect(await noted()).toEqual(["responses,deletions,questions", "responses", "deletions"]);
});

test("an import that changes nothing leaves no change note and doesn't advance the shop's stamp", async () => {
  const stampOf = async () => [
    ...(await feed.owner`SELECT stamp FROM survey.stamps WHERE shop_id = ${shopId}`),
  ];
  const again = () =>
    shopKeeper(feed.owner).importInto(shopId, { id: "a", question: "Who?", response: "TV" });
  expect((await again()).inserted).toBe(1);
  expect(await noted()).toEqual(["responses"]);
  const before = await stampOf();
  expect((await again()).unchanged).toBe(1);
  expect(await noted()).toEqual([]);
  expect(await stampOf()).toEqual(before);
});

test("a manual insert, update or delete of a connection leaves a change note, unlike a first approval", async () => {
  const clientId = await feed.newClient();
  const { id: merchantId } = await onboardMerchant(feed.owner);
  const approval = { shopId, clientId, merchantId, grantId: "g" };
  await approve(feed.server, { ...approval, scope: ["responses:read"] }, OPERATOR);
  expect(await noted()).toEqual([]);
  await feed.owner`UPDATE oauth.connections SET last_used_at = now() WHERE shop_id = ${shopId}`;
  await feed.owner`DELETE FROM oauth.connections WHERE shop_id = ${shopId}`;
  expect(await noted()).toEqual([]);
  await feed.owner`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at, exchanged_at)
      VALUES (${shopId}, ${clientId}, 'connected', 'g', '{responses:read}', ${merchantId}, now(), now())`;
  await feed.owner`UPDATE oauth.connections SET status = status, last_used_at = now() WHERE shop_id = ${shopId}`;
  await feed.owner`UPDATE oauth.connections SET scope = '{responses:read,sources:write}' WHERE shop_id = ${shopId}`;
  await feed.owner`DELETE FROM oauth.connections WHERE shop_id = ${shopId}`;
  expect(await noted()).toEqual([
    "connection,responses,deletions,questions",
    "connection",
    "connection gone",
  ]);
});

test("feed entries of one relay round are in the order of their last change notes", async () => {
  const clientId = await feed.newClient();
  const [a, b] = [
    await feed.connect(shopId, clientId),
    await feed.connect(await feed.newShop(), clientId),
  ];
  await feed.relayAll();
  for (const id of [a, b, a]) {
    await feed.owner`
      INSERT INTO oauth.change_notes (shop_id, client_id, connection_id, kinds)
      VALUES ('', ${clientId}, ${id}, '{connection}')`;
  }
  await feed.relayAll();
  const last = (await feed.read(clientId)).slice(-2);
  expect(last.map(({ connectionId }) => connectionId)).toEqual([b, a]);
});

test("oauth.note_all_connections() leaves a change note of every kind for each connection", async () => {
  const clientId = await feed.newClient();
  const id = await feed.connect(shopId, clientId);
  await feed.relayAll();
  await feed.owner`CALL oauth.note_all_connections()`;
  const notes =
    await feed.owner`SELECT client_id, connection_id, kinds FROM oauth.change_notes WHERE shop_id = ${shopId}`;
  expect([...notes]).toEqual([
    {
      client_id: clientId,
      connection_id: id,
      kinds: ["connection", "responses", "deletions", "questions"],
    },
  ]);
});
