import { randomBytes } from "node:crypto";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  addPasskey,
  findMerchant,
  hasPasskey,
  type MerchantAccount,
  type NewPasskey,
  passkeysOf,
  removeAllPasskeys,
  removePasskey,
  setMerchantStatus,
  usePasskey,
} from "../index.ts";
import { onboardMerchant, TEST_OPERATOR as operator } from "../testing.ts";

const from = { ip: "192.0.2.7", requestId: "req-7" };

const { sql, authorizationServer: pages } = await suiteDatabase();

const current = async ({ id }: { readonly id: string }) =>
  (await findMerchant(sql, id)) ?? expect.fail();
const account = async () => await current(await onboardMerchant(sql));

const made = (name = "My laptop", counter = 0): NewPasskey => ({
  id: randomBytes(16).toString("base64url"),
  name,
  publicKey: randomBytes(77),
  counter,
  transports: ["internal", "hybrid"],
});

const actorOf = ({ id }: MerchantAccount) => ({ ...from, name: `merchant:${id}` });

const add = (merchant: MerchantAccount, passkey = made()) =>
  addPasskey(pages, merchant, passkey, actorOf(merchant));

async function enrolled(passkey = made()): Promise<MerchantAccount> {
  const added = await add(await account(), passkey);
  return added.outcome === "changed" ? added.merchant : expect.fail();
}

async function recordsOf({ id }: MerchantAccount) {
  const records =
    await sql`SELECT event, details FROM directory.audit_log WHERE merchant_id = ${id} ORDER BY id`;
  return records.map(({ event, details }) => [event, details]);
}

test("all sessions of a merchant end when a passkey is added", async () => {
  const merchant = await account();
  const first = made();
  expect(await add(merchant, first)).toEqual({
    outcome: "changed",
    merchant: { ...merchant, sessionEpoch: 2 },
  });
  const stored = {
    ...first,
    publicKey: Buffer.from(first.publicKey),
    createdAt: expect.any(Date),
    lastUsedAt: null,
  };
  expect(await passkeysOf(pages, merchant.id)).toEqual([stored]);
  expect(await add(await current(merchant), made("My phone"))).toMatchObject({
    outcome: "changed",
    merchant: { sessionEpoch: 3 },
  });
  expect(await recordsOf(merchant)).toEqual([
    ["merchant_add_passkey", { name: "My laptop" }],
    ["merchant_add_passkey", { name: "My phone" }],
  ]);
});

test("only one of three concurrent first passkeys of an account is added", async () => {
  const merchant = await account();
  const outcomes = await Promise.all([add(merchant), add(merchant), add(merchant)]);
  const expected = ["changed", "ended", "ended"];
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(expected);
  expect(await passkeysOf(pages, merchant.id)).toHaveLength(1);
});

test("a passkey belongs to only one account", async () => {
  const passkey = made();
  await enrolled(passkey);
  const other = await account();
  expect(await add(other, passkey)).toEqual({ outcome: "ended" });
  expect(await hasPasskey(pages, other.id)).toBe(false);
});

test("an account has at most ten passkeys", async () => {
  const merchant = await account();
  for (let n = 0; n < 10; n += 1)
    expect((await add(await current(merchant), made(`${n}`))).outcome).toBe("changed");
  expect(await add(await current(merchant))).toEqual({ outcome: "ended" });
});

test("a passkey needs a name that people can read", async () => {
  const adding = add(await account(), made("\u202e"));
  await expect(adding).rejects.toMatchObject({ code: "INVALID_NAME" });
});

test("a passkey can be used and removed only by its merchant", async () => {
  const passkey = made();
  const merchant = await enrolled(passkey);
  const stranger = await enrolled();
  const { id } = passkey;
  const refused = await removePasskey(pages, stranger, id, actorOf(stranger));
  expect(refused).toEqual({ outcome: "ended" });
  expect(await usePasskey(pages, stranger.id, { id, counter: 0 })).toBe(false);
  const removed = await removePasskey(pages, merchant, id, actorOf(merchant));
  expect(removed).toEqual({ outcome: "changed", merchant: { ...merchant, sessionEpoch: 3 } });
  expect(await hasPasskey(pages, merchant.id)).toBe(false);
});

test("a passkey's counter is stored even if it has not advanced, up to the largest value", async () => {
  const passkey = made("Key", 5);
  const merchant = await enrolled(passkey);
  for (const counter of [6, 6, 2 ** 31, 2 ** 32 - 1, 7, 0]) {
    expect(await usePasskey(pages, merchant.id, { id: passkey.id, counter })).toBe(true);
    const [stored] = await passkeysOf(pages, merchant.id);
    expect(stored).toMatchObject({ counter, lastUsedAt: expect.any(Date) });
  }
});

test("a disabled merchant can't add a passkey", async () => {
  const merchant = await enrolled();
  await setMerchantStatus(sql, merchant.email, "disabled", operator);
  expect(await add(merchant)).toEqual({ outcome: "ended" });
});

test("when an operator removes all passkeys of a merchant, the merchant's sessions end", async () => {
  const merchant = await enrolled();
  expect(await removeAllPasskeys(sql, merchant.email.toUpperCase(), operator)).toBe(1);
  expect(await hasPasskey(sql, merchant.id)).toBe(false);
  expect((await current(merchant)).sessionEpoch).toBe(merchant.sessionEpoch + 1);
  expect((await recordsOf(merchant)).at(-1)).toEqual(["merchant_remove_passkey", { passkeys: 1 }]);
  expect(await removeAllPasskeys(sql, merchant.email, operator)).toBe(0);
  expect(await recordsOf(merchant)).toHaveLength(2);
  const unknown = removeAllPasskeys(sql, "nobody@shop.example", operator);
  await expect(unknown).rejects.toMatchObject({ code: "UNKNOWN_MERCHANT" });
});
