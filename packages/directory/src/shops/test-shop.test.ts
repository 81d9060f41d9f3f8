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

test("a merchant who joins a client joins its test shops, and leaves them on leaving the client", async () => {
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

test("a test shop is not created for an unknown client, or for a client with five test shops, even concurrently", async () => {
  const made = await Promise.allSettled([create(), create(), create(), create(), create()]);
  expect(made.filter(({ status }) => status === "rejected")).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ code: "TOO_MANY_TEST_SHOPS" }) }),
  ]);
  await expect(create("client_none")).rejects.toMatchObject({ code: "UNKNOWN_CLIENT" });
  expect(await sql`SELECT FROM directory.shops`).toHaveLength(5);
});

test("a client's members, except a merchant whose erasure is requested, become members of a new test shop", async () => {
  const [eve, uma] = [await onboardMerchant(sql), await onboardMerchant(sql)];
  const client = await onboardClient(sql);
  await sql`UPDATE directory.merchants SET from_product = true WHERE id = ${eve.id}`;
  for (const { email } of [eve, uma])
    await addClientMember(sql, { clientId: client.clientId, email }, TEST_OPERATOR);
  await transaction(sql, (tx) => startMerchantErasure(tx, eve.id, TEST_OPERATOR));
  await create(client.clientId);
  const members =
    await sql`SELECT merchant_id AS id FROM directory.memberships WHERE merchant_id IN (${eve.id}, ${uma.id})`;
  expect(members).toEqual([{ id: uma.id }]);
});
