import { transaction } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { addClientMember, removeClientMember } from "../clients/client-members.ts";
import { startMerchantErasure } from "../forget.ts";
import { onboardClient, onboardMerchant, TEST_OPERATOR } from "../testing.ts";
import { createShop, shopDetails } from "./shop.ts";

const { sql } = await suiteDatabase();
const { email: ownerEmail } = await onboardMerchant(sql);
const { clientId } = await onboardClient(sql);
const create = (testOf = clientId) =>
  createShop(sql, { name: "Try", plan: "standard", ownerEmail, testOf }, TEST_OPERATOR);

test("a client's new member joins its test shops, and leaves them when leaving the client", async () => {
  const { id } = await create();
  expect(await shopDetails(sql, id)).toMatchObject({ testOf: clientId });
  const uma = await onboardMerchant(sql);
  const shopsOf = () =>
    sql`SELECT shop_id AS id FROM directory.memberships WHERE merchant_id = ${uma.id}`;
  await addClientMember(sql, { clientId, email: uma.email }, TEST_OPERATOR);
  expect(await shopsOf()).toEqual([{ id }]);
  await removeClientMember(sql, { clientId, merchantId: uma.id }, TEST_OPERATOR);
  expect(await shopsOf()).toEqual([]);
});

test("a client has at most five test shops, even if created concurrently, and an unknown client has none", async () => {
  const made = await Promise.allSettled([create(), create(), create(), create(), create()]);
  expect(made.filter(({ status }) => status === "rejected")).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ code: "TOO_MANY_TEST_SHOPS" }) }),
  ]);
  await expect(create("client_none")).rejects.toMatchObject({ code: "UNKNOWN_CLIENT" });
  expect(await sql`SELECT FROM directory.shops`).toHaveLength(5);
});

test("regression: a merchant whose erasure was requested became a member of the client's next test shop", async () => {
  const [eve, client] = [await onboardMerchant(sql), await onboardClient(sql)];
  await sql`UPDATE directory.merchants SET from_product = true WHERE id = ${eve.id}`;
  await addClientMember(sql, { clientId: client.clientId, email: eve.email }, TEST_OPERATOR);
  await transaction(sql, (tx) => startMerchantErasure(tx, eve.id, TEST_OPERATOR));
  await create(client.clientId);
  expect(await sql`SELECT FROM directory.memberships WHERE merchant_id = ${eve.id}`).toEqual([]);
});
