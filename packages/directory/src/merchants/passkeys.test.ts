import { randomBytes } from "node:crypto";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { describe, expect, test } from "vitest";
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

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "passkeys-test" });
/** Connected with the merchant pages' role. */
const pages = database.connect(database.authorizationServerUrl, { name: "passkeys-test", connections: 8 });

const account = async () => await current(await onboardMerchant(sql));

async function current({ id }: { readonly id: string }): Promise<MerchantAccount> {
  const merchant = await findMerchant(sql, id);
  if (!merchant) throw new Error("not there");
  return merchant;
}

const made = (name = "My laptop", counter = 0): NewPasskey => ({
  id: randomBytes(16).toString("base64url"),
  name,
  publicKey: randomBytes(77),
  counter,
  transports: ["internal", "hybrid"],
});

const actorOf = ({ id }: MerchantAccount) => ({ ...from, name: `merchant:${id}` });

async function enrolled(passkey = made()): Promise<MerchantAccount> {
  const merchant = await account();
  const added = await addPasskey(pages, merchant, passkey, actorOf(merchant));
  if (added.outcome !== "changed") throw new Error("not added");
  return added.merchant;
}

const recordsOf = async ({ id }: MerchantAccount) =>
  (await sql`SELECT event, actor, details FROM directory.audit_log WHERE merchant_id = ${id} ORDER BY id`).map(
    ({ event, details }) => [event, details],
  );

describe("a passkey", () => {
  test("is added, and all sessions end", async () => {
    const merchant = await account();
    const first = made();
    const added = await addPasskey(pages, merchant, first, actorOf(merchant));
    expect(added).toEqual({ outcome: "changed", merchant: { ...merchant, sessionEpoch: 2 } });
    const [stored] = await passkeysOf(pages, merchant.id);
    expect(stored).toEqual({
      ...first,
      publicKey: Buffer.from(first.publicKey),
      createdAt: expect.any(Date),
      lastUsedAt: null,
    });
    const second = await addPasskey(pages, await current(merchant), made("My phone"), actorOf(merchant));
    expect(second).toMatchObject({ outcome: "changed", merchant: { sessionEpoch: 3 } });
    expect(await recordsOf(merchant)).toEqual([
      ["merchant_add_passkey", { name: "My laptop" }],
      ["merchant_add_passkey", { name: "My phone" }],
    ]);
  });

  test("of two at once, one is added: the other's proof was for an account without one", async () => {
    const merchant = await account();
    const outcomes = await Promise.all(
      [made(), made(), made()].map((each) => addPasskey(pages, merchant, each, actorOf(merchant))),
    );
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["changed", "ended", "ended"]);
    expect(await passkeysOf(pages, merchant.id)).toHaveLength(1);
  });

  test("belongs to only one account, and an account has at most ten", async () => {
    const passkey = made();
    await enrolled(passkey);
    const other = await account();
    expect(await addPasskey(pages, other, passkey, actorOf(other))).toEqual({ outcome: "ended" });
    expect(await hasPasskey(pages, other.id)).toBe(false);
    for (let n = 0; n < 10; n += 1) {
      expect((await addPasskey(pages, await current(other), made(`${n}`), actorOf(other))).outcome).toBe("changed");
    }
    expect(await addPasskey(pages, await current(other), made(), actorOf(other))).toEqual({ outcome: "ended" });
  });

  test("needs a name that people can read", async () => {
    const merchant = await account();
    const added = addPasskey(pages, merchant, made("\u202e"), actorOf(merchant));
    await expect(added).rejects.toMatchObject({ code: "INVALID_NAME" });
  });

  test("is removed only by its merchant", async () => {
    const passkey = made();
    const merchant = await enrolled(passkey);
    const stranger = await enrolled();
    const { id } = passkey;
    expect(await removePasskey(pages, stranger, id, actorOf(stranger))).toEqual({ outcome: "ended" });
    expect(await usePasskey(pages, stranger.id, { id, counter: 0 })).toBe(false);
    const removed = await removePasskey(pages, merchant, id, actorOf(merchant));
    expect(removed).toEqual({ outcome: "changed", merchant: { ...merchant, sessionEpoch: 3 } });
    expect(await hasPasskey(pages, merchant.id)).toBe(false);
  });

  test("whose counter goes back is refused: two authenticators have the same key", async () => {
    const passkey = made("Key", 5);
    const merchant = await enrolled(passkey);
    const use = (counter: number) => usePasskey(pages, merchant.id, { id: passkey.id, counter });
    const used = [await use(6), await use(6), await use(5), await use(0), await use(7)];
    expect(used).toEqual([true, false, false, false, true]);
    const [stored] = await passkeysOf(pages, merchant.id);
    expect(stored).toMatchObject({ counter: 7, lastUsedAt: expect.any(Date) });
  });

  test("is not changed by a merchant who was disabled or signed out everywhere", async () => {
    const merchant = await enrolled();
    await setMerchantStatus(sql, merchant.email, "disabled", operator);
    expect(await addPasskey(pages, merchant, made(), actorOf(merchant))).toEqual({ outcome: "ended" });
  });
});

test("an operator takes all passkeys of a merchant who has lost one: all sessions end", async () => {
  const merchant = await enrolled();
  expect(await removeAllPasskeys(sql, merchant.email.toUpperCase(), operator)).toBe(1);
  expect(await hasPasskey(sql, merchant.id)).toBe(false);
  expect((await current(merchant)).sessionEpoch).toBe(merchant.sessionEpoch + 1);
  expect((await recordsOf(merchant)).at(-1)).toEqual(["merchant_remove_passkey", { passkeys: 1 }]);
  expect(await removeAllPasskeys(sql, merchant.email, operator)).toBe(0);
  expect(await recordsOf(merchant)).toHaveLength(2);
  await expect(removeAllPasskeys(sql, "nobody@shop.example", operator)).rejects.toMatchObject({
    code: "UNKNOWN_MERCHANT",
  });
});
