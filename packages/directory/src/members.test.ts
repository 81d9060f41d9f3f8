import { transaction } from "@partner-connect/database";
import { connectNodes } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  addClientMember,
  addMember,
  createApiKey,
  createShop,
  type Merchant,
  markShopErasure,
  membersOfShop,
  removableMember,
  removeMember,
  shopsOfMerchant,
  startMerchantErasure,
} from "./index.ts";
import { onboardClient, onboardMerchant, onboardShop, TEST_OPERATOR } from "./testing.ts";

const database = await suiteDatabase();
const { sql } = database;

const code = (code: string) => expect.objectContaining({ name: "DirectoryError", code });

/** Anna and Ben are members of the shop, Eve is not. */
async function world() {
  const [anna, ben, eve] = [
    await onboardMerchant(sql),
    await onboardMerchant(sql),
    await onboardMerchant(sql),
  ];
  const shopId = await onboardShop(sql, { merchants: [anna.id, ben.id] });
  return { anna, ben, eve, shopId };
}

const members = async (shopId: string) =>
  (await membersOfShop(sql, shopId)).map(({ merchantId }) => merchantId).sort();
const events = (shopId: string) => sql`
  SELECT event, actor, merchant_id, details FROM oauth.audit_log WHERE shop_id = ${shopId} ORDER BY id`;
const record = (event: string, { id, email }: Pick<Merchant, "id" | "email">) => ({
  ...{ event, actor: TEST_OPERATOR.name, merchant_id: id, details: { email } },
});
const mails = (shopId: string) => sql`
  SELECT kind, merchant_id AS to, about FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE shop_id = ${shopId} ORDER BY merchant_id`;
const mailed = (kind: string, memberId: string, ...to: string[]) =>
  to.sort().map((each) => ({ kind, to: each, about: { member_id: memberId } }));

test("a shop's new member is added by email, with an audit record and a mail to all members", async () => {
  const { anna, ben, eve, shopId } = await world();
  const added = await addMember(sql, { shopId, email: eve.email.toUpperCase() }, TEST_OPERATOR);
  const { id: merchantId, email } = eve;
  expect(added).toEqual({ merchantId, email, name: "Ada", since: expect.any(Date) });
  expect(await shopsOfMerchant(sql, eve.id)).toMatchObject([{ id: shopId }]);
  expect(await events(shopId)).toEqual([record("member_add", eve)]);
  expect(await mails(shopId)).toEqual(mailed("member_added", eve.id, anna.id, ben.id, eve.id));
});

test("a shop's member is removed with an audit record and a mail to all members, including the removed member", async () => {
  const { anna, ben, shopId } = await world();
  await removeMember(sql, { shopId, merchantId: ben.id }, TEST_OPERATOR);
  expect([await shopsOfMerchant(sql, ben.id), await members(shopId)]).toEqual([[], [anna.id]]);
  expect(await events(shopId)).toEqual([record("member_remove", ben)]);
  expect(await mails(shopId)).toEqual(mailed("member_removed", ben.id, anna.id, ben.id));
});

test("an invalid change of a shop's members is refused with its error code, and changes no membership", async () => {
  const { anna, ben, eve, shopId } = await world();
  const add = (member: object) =>
    addMember(sql, { shopId, email: eve.email, ...member }, TEST_OPERATOR);
  const remove = (merchantId: string) => removeMember(sql, { shopId, merchantId }, TEST_OPERATOR);
  await expect(add({ email: "nobody@shop.example" })).rejects.toEqual(code("UNKNOWN_MERCHANT"));
  await expect(add({ shopId: "shop_none" })).rejects.toEqual(code("UNKNOWN_SHOP"));
  await expect(add({ email: ben.email })).rejects.toEqual(code("ALREADY_MEMBER"));
  await expect(remove(eve.id)).rejects.toEqual(code("UNKNOWN_MEMBER"));
  await sql`UPDATE directory.merchants SET erase_requested_at = now() WHERE id = ${eve.id}`;
  const { clientId } = await onboardClient(sql);
  for (const become of [
    () => add({}),
    () => createShop(sql, { name: "Hats", plan: "standard", ownerEmail: eve.email }, TEST_OPERATOR),
    () => addClientMember(sql, { clientId, email: eve.email }, TEST_OPERATOR),
  ])
    await expect(become()).rejects.toEqual(code("ERASURE_UNDER_WAY"));
  const before = [[anna.id, ben.id].sort(), [], []];
  expect([await members(shopId), await events(shopId), await mails(shopId)]).toEqual(before);
  await remove(ben.id);
  await expect(remove(anna.id)).rejects.toEqual(code("LAST_MEMBER"));
  await expect(removableMember(sql, shopId, anna.email)).rejects.toEqual(code("LAST_MEMBER"));
  expect(await members(shopId)).toEqual([anna.id]);
});

test("a shop that is being erased has no member, and gets no member or API key", async () => {
  const { eve, shopId } = await world();
  await markShopErasure(sql, shopId, TEST_OPERATOR);
  const add = addMember(sql, { shopId, email: eve.email }, TEST_OPERATOR);
  await expect(add).rejects.toEqual(code("ERASURE_UNDER_WAY"));
  await expect(createApiKey(sql, shopId, TEST_OPERATOR)).rejects.toEqual(code("ERASURE_UNDER_WAY"));
  expect(await members(shopId)).toEqual([]);
});

test("if a merchant is added to a shop while the merchant's erasure is requested, through any node, no membership remains", async () => {
  const nodes = connectNodes(database);
  for (let round = 0; round < 10; round += 1) {
    const { eve, shopId } = await world();
    await sql`UPDATE directory.merchants SET from_product = true WHERE id = ${eve.id}`;
    await Promise.allSettled([
      addMember(nodes.through(round), { shopId, email: eve.email }, TEST_OPERATOR),
      transaction(nodes.through(round + 1), (tx) =>
        startMerchantErasure(tx, eve.id, TEST_OPERATOR),
      ),
    ]);
    expect(await members(shopId)).not.toContain(eve.id);
  }
  await nodes.end();
});

test("if a shop's only two members are removed concurrently, through any node, one removal is refused with LAST_MEMBER", async () => {
  const nodes = connectNodes(database);
  for (let round = 0; round < 10; round += 1) {
    const { anna, ben, shopId } = await world();
    const remove = ({ id: merchantId }: typeof anna, n: number) =>
      removeMember(nodes.through(round + n), { shopId, merchantId }, TEST_OPERATOR);
    const outcomes = await Promise.allSettled([anna, ben].map(remove));
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: code("LAST_MEMBER"),
    });
    expect(await members(shopId)).toHaveLength(1);
  }
  await nodes.end();
});

test("a merchant who is added to a shop by two concurrent calls becomes a member once", async () => {
  const { eve, shopId } = await world();
  const add = () => addMember(sql, { shopId, email: eve.email }, TEST_OPERATOR);
  const outcomes = await Promise.allSettled([add(), add()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await events(shopId)).toHaveLength(1);
});
