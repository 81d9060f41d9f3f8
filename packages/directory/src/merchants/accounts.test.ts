import { randomUUID } from "node:crypto";
import { connectNodes } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  addMember,
  changePassword,
  createAccount,
  createResetLink,
  createShop,
  disableForErasure,
  findMerchant,
  findMerchantByEmail,
  findResetLink,
  hashCredential,
  hashPassword,
  type MerchantAccount,
  merchantDetails,
  removableMember,
  resetPassword,
  setMerchantStatus,
  setPassword,
  updateEmail,
  verifyPassword,
} from "../index.ts";
import { onboardMerchant, onboardShop, TEST_OPERATOR as operator } from "../testing.ts";

const FORMER = "the former long password";
const NEW = "quinces ripen in late october";
const MAIL_KEY = "a mail key of 32 characters.....";
const from = { ip: "192.0.2.7", requestId: "req-7" };

const database = await suiteDatabase();
const { sql, authorizationServer: pages } = database;
const formerHash = await hashPassword(FORMER);

async function registered(): Promise<MerchantAccount> {
  const { id } = await onboardMerchant(sql, formerHash);
  return (await findMerchant(sql, id)) ?? expect.fail();
}

async function withLink() {
  const merchant = await registered();
  const { token } = await createResetLink(sql, merchant.email, operator);
  return { merchant, token };
}

async function hasPassword({ email }: MerchantAccount, password: string): Promise<boolean> {
  return await verifyPassword(
    (await findMerchantByEmail(sql, email))?.passwordHash ?? null,
    password,
  );
}

const refused = async (call: Promise<unknown>, code: string) =>
  await expect(call).rejects.toMatchObject({ code });
const epochOf = async ({ id }: MerchantAccount) => (await findMerchant(sql, id))?.sessionEpoch;
const recordsOf = async ({ id }: MerchantAccount) =>
  await sql`SELECT event, actor, host(ip) AS ip, request_id, details FROM directory.audit_log
            WHERE merchant_id = ${id} ORDER BY id`;
const changeBy = ({ id }: MerchantAccount, by: string) => ({
  ...{
    event: "merchant_set_password",
    actor: `merchant:${id}`,
    ip: "192.0.2.7",
    request_id: "req-7",
    details: { by },
  },
});

/** Makes ten concurrent changes to different passwords, and expects one to succeed. */
async function expectOneChange(
  merchant: MerchantAccount,
  change: (password: string, n: number) => Promise<{ readonly outcome: string }>,
): Promise<void> {
  const passwords = Array.from({ length: 10 }, (_, n) => `${NEW} ${n}`);
  const outcomes = await Promise.all(passwords.map(change));
  const winners = passwords.filter((_, n) => outcomes[n]?.outcome === "changed");
  expect(winners).toHaveLength(1);
  const after = [await hasPassword(merchant, winners[0] ?? ""), await epochOf(merchant)];
  expect(after).toEqual([true, 2]);
}

test.each(["\u0130", "\u212a", "ｋ", "k\u0307"])(
  "an email address with %j in place of its ASCII letter belongs to no account",
  async (letter) => {
    const { id } = await registered();
    const email = `ki${id.toLowerCase()}@shop.example`;
    await sql`UPDATE directory.merchants SET email = ${email} WHERE id = ${id}`;
    const shopId = await onboardShop(sql, { merchants: [id] });
    const spelled = letter === "\u0130" ? email.replace("i", letter) : email.replace("k", letter);
    expect(await findMerchantByEmail(sql, spelled)).toBe(null);
    for (const attempt of [
      () => merchantDetails(sql, spelled),
      () => addMember(sql, { shopId, email: spelled }, operator),
      () => createShop(sql, { name: "Hats", ownerEmail: spelled, plan: "standard" }, operator),
    ])
      await refused(attempt(), "UNKNOWN_MERCHANT");
    await refused(removableMember(sql, shopId, spelled), "UNKNOWN_MEMBER");
  },
);

test("when an operator sets a merchant's password, the former password, all sessions and all reset links end", async () => {
  const { merchant, token } = await withLink();
  const wanted = {
    email: ` ${merchant.email.toUpperCase()} `,
    password: NEW,
    passwordFrom: "person",
  } as const;
  expect(await setPassword(sql, wanted, operator)).toEqual({ ...merchant, sessionEpoch: 2 });
  const valid = [await hasPassword(merchant, FORMER), await hasPassword(merchant, NEW)];
  expect(valid).toEqual([false, true]);
  expect(await findResetLink(sql, token)).toBe(null);
  expect((await recordsOf(merchant)).map(({ event, details }) => [event, details])).toEqual([
    ["merchant_reset_link", {}],
    ["merchant_set_password", { by: "operator" }],
  ]);
  expect((await merchantDetails(sql, merchant.email)).passwordChangedAt).toBeInstanceOf(Date);
});

test("setting a merchant's password is refused if the password is a shop's name or the merchant is unknown", async () => {
  const merchant = await registered();
  await onboardShop(sql, { name: "Hedgehog Hats", merchants: [merchant.id] });
  const wanted = {
    email: merchant.email,
    password: "hedgehog hats 1",
    passwordFrom: "person",
  } as const;
  await refused(setPassword(sql, wanted, operator), "INVALID_PASSWORD");
  expect(await changePassword(pages, merchant, wanted.password, operator)).toMatchObject({
    problem: "personal",
  });
  const unknown = { ...wanted, email: "nobody@shop.example" };
  await refused(setPassword(sql, unknown, operator), "UNKNOWN_MERCHANT");
  expect([await hasPassword(merchant, FORMER), await epochOf(merchant)]).toEqual([true, 1]);
});

test("with the pages' database role, a merchant's change of password is stored and recorded", async () => {
  const merchant = await registered();
  const actor = { name: `merchant:${merchant.id}`, ...from };
  const changed = { ...merchant, sessionEpoch: 2 };
  expect(await changePassword(pages, merchant, NEW, actor)).toEqual({
    outcome: "changed",
    merchant: changed,
  });
  expect(await hasPassword(merchant, NEW)).toBe(true);
  expect(await recordsOf(merchant)).toEqual([changeBy(merchant, "change")]);
});

test("only one of a merchant's concurrent password changes succeeds", async () => {
  const merchant = await registered();
  await expectOneChange(merchant, (password) =>
    changePassword(pages, merchant, password, operator),
  );
  expect(await recordsOf(merchant)).toHaveLength(1);
});

test("a merchant's change of the password has no effect once the merchant is disabled", async () => {
  const merchant = await registered();
  await setMerchantStatus(sql, merchant.email, "disabled", operator);
  expect(await changePassword(pages, merchant, NEW, operator)).toEqual({ outcome: "ended" });
  expect(await hasPassword(merchant, FORMER)).toBe(true);
});

test("a link to reset the password is stored only as a hash, with an expiry after 30 minutes", async () => {
  const merchant = await registered();
  const before = Date.now();
  const { token, expiresAt } = await createResetLink(sql, merchant.email.toUpperCase(), operator);
  const passed = Date.now() - before;
  expect(token).toMatch(/^pcl_[\w-]{43}$/);
  // The clocks of Postgres and of this process may differ by a second.
  expect(expiresAt.getTime() - before).toBeGreaterThan(30 * 60_000 - 1000);
  expect(expiresAt.getTime() - before).toBeLessThan(30 * 60_000 + 1000 + passed);
  const [row] =
    await sql`SELECT *, row_to_json(l)::text AS text FROM directory.merchant_links l WHERE email = ${merchant.email}`;
  expect(row).toMatchObject({ used_at: null });
  expect(row?.["token_hash"]).toEqual(hashCredential(token));
  expect(row?.["text"]).not.toContain(token.slice(4));
});

test("a link to reset the password sets the password once, and opening it doesn't use it up", async () => {
  const { merchant, token } = await withLink();
  for (let look = 0; look < 3; look += 1)
    expect(await findResetLink(pages, token)).toEqual(merchant);
  expect(await resetPassword(pages, token, "too short", from)).toEqual({
    outcome: "refused",
    problem: "too_short",
  });
  const changed = { ...merchant, sessionEpoch: 2 };
  expect(await resetPassword(pages, token, NEW, from)).toEqual({
    outcome: "changed",
    merchant: changed,
  });
  expect(await hasPassword(merchant, NEW)).toBe(true);
  expect(await findResetLink(pages, token)).toBe(null);
  expect(await resetPassword(pages, token, FORMER, from)).toEqual({ outcome: "ended" });
  expect((await recordsOf(merchant)).at(-1)).toEqual(changeBy(merchant, "reset_link"));
});

test("a link to reset the password works for only one of ten concurrent forms, through any node", async () => {
  const nodes = connectNodes(database);
  for (let round = 0; round < 3; round += 1) {
    const { merchant, token } = await withLink();
    await expectOneChange(merchant, (password, n) =>
      resetPassword(nodes.through(n), token, password, from),
    );
  }
  await nodes.end();
});

test("creating a link to reset the password, even concurrently, ends the merchant's former links", async () => {
  const merchant = await registered();
  const links = await Promise.all(
    Array.from({ length: 8 }, () => createResetLink(sql, merchant.email, operator)),
  );
  const living = await Promise.all(links.map(({ token }) => findResetLink(pages, token)));
  expect(living.filter((found) => found !== null)).toEqual([merchant]);
  const { token } = await createResetLink(sql, merchant.email, operator);
  for (const link of links)
    expect((await resetPassword(pages, link.token, NEW, from)).outcome).toBe("ended");
  expect((await resetPassword(pages, token, NEW, from)).outcome).toBe("changed");
});

test("a password reset causes no deadlock while a newer link is created and the account is disabled", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { merchant, token } = await withLink();
    const [reset, newer] = await Promise.allSettled([
      resetPassword(pages, token, NEW, from),
      createResetLink(sql, merchant.email, operator),
      setMerchantStatus(sql, merchant.email, "disabled", operator),
    ]);
    if (newer.status === "rejected") expect(newer.reason.code).toBe("MERCHANT_DISABLED");
    const outcome = reset.status === "fulfilled" ? reset.value.outcome : reset.reason;
    expect(["changed", "ended"]).toContain(outcome);
    expect(await hasPassword(merchant, NEW)).toBe(outcome === "changed");
  }
});

const disable = (email: string) => setMerchantStatus(sql, email, "disabled", operator);
const enable = (email: string) => setMerchantStatus(sql, email, "active", operator);
const expire = (email: string) =>
  sql`UPDATE directory.merchant_links SET expires_at = now() - interval '1 second' WHERE email = ${email}`;
/** As if the address changed while the link was being stored, so that the link did not end. */
const move = async (email: string) => {
  await updateEmail(sql, email, `new-${email}`, operator);
  await sql`UPDATE directory.merchant_links SET used_at = NULL WHERE email = ${email}`;
};
test.each([
  ["expired", expire],
  ["to a former address", move],
  [
    "to an address that another merchant has taken over",
    async (email: string) => {
      await move(email);
      await updateEmail(sql, (await registered()).email, email, operator);
    },
  ],
  ["of a merchant who was disabled", disable],
  [
    "of a merchant who was disabled and enabled again",
    async (email: string) => [await disable(email), await enable(email)],
  ],
])("a reset link that is %s sets no password", async (_, spoil) => {
  const { merchant, token } = await withLink();
  await spoil(merchant.email);
  expect(await findResetLink(pages, token)).toBe(null);
  expect(await resetPassword(pages, token, NEW, from)).toEqual({ outcome: "ended" });
  const { email } = (await findMerchant(sql, merchant.id)) ?? expect.fail();
  expect(await hasPassword({ ...merchant, email }, FORMER)).toBe(true);
});

test("an invented reset token sets no password", async () => {
  for (const token of ["", "pcl_", "x".repeat(9000), "pcl_\u0000"]) {
    expect(await findResetLink(pages, token)).toBe(null);
    expect(await resetPassword(pages, token, NEW, from)).toEqual({ outcome: "ended" });
  }
});

test("a link to reset the password is not created for an unknown or a disabled merchant", async () => {
  const merchant = await registered();
  await setMerchantStatus(sql, merchant.email, "disabled", operator);
  await refused(createResetLink(sql, merchant.email, operator), "MERCHANT_DISABLED");
  await refused(createResetLink(sql, "no\u00e9@x", operator), "UNKNOWN_MERCHANT");
  expect(
    await sql`SELECT FROM directory.merchant_links WHERE email = ${merchant.email}`,
  ).toHaveLength(0);
});

const email = () => `${randomUUID()}@shop.example`;
const make = (address: string) =>
  createAccount(sql, { email: address, mailKey: MAIL_KEY }, operator);

test("an account without a password has a link that sets its first password once, within seven days", async () => {
  const address = email();
  const { merchant, token } = await createAccount(
    sql,
    { email: address, name: "Bo", mailKey: null },
    operator,
  );
  expect(merchant).toEqual({ id: expect.stringMatching(/^mer_/), email: address, name: "Bo" });
  const [link] = await sql`
      SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days
      FROM directory.merchant_links WHERE email = ${address}`;
  expect(link).toEqual({ days: 7 });
  const account = (await findMerchant(sql, merchant.id)) ?? expect.fail();
  expect(await resetPassword(pages, token ?? "", NEW, from)).toMatchObject({ outcome: "changed" });
  expect(await resetPassword(pages, token ?? "", FORMER, from)).toEqual({ outcome: "ended" });
  expect(await hasPassword(account, NEW)).toBe(true);
  expect((await recordsOf(account)).map(({ event, actor }) => [event, actor])).toEqual([
    ["merchant_create", "operator:test"],
    ["merchant_reset_link", "operator:test"],
    ["merchant_set_password", `merchant:${merchant.id}`],
  ]);
});

test("a new account's address gives the default name and receives the link by mail", async () => {
  const address = email();
  const { merchant, token } = await make(address);
  expect([merchant.name, token]).toEqual([address.replace("@shop.example", ""), null]);
  const mails = await sql`
      SELECT data ->> 'kind' AS kind, data -> 'about' AS about FROM worker_jobs.job WHERE data ->> 'merchant_id' = ${merchant.id}`;
  expect(mails).toEqual([{ kind: "new_account", about: {} }]);
  expect(await sql`SELECT FROM directory.merchant_links WHERE email = ${address}`).toHaveLength(1);
});

test("an account without a password accepts no password", async () => {
  const { merchant } = await make(email());
  const hash = (await findMerchantByEmail(sql, merchant.email))?.passwordHash ?? null;
  for (const password of ["", "none"]) expect(await verifyPassword(hash, password)).toBe(false);
});

test("a new account is refused if the address is taken or invalid", async () => {
  const { merchant } = await make(email());
  await refused(make(merchant.email.toUpperCase()), "EMAIL_TAKEN");
  await refused(make("nobody"), "INVALID_EMAIL");
});

test("a new member's account is created together with the membership, or not at all", async () => {
  const shopId = await onboardShop(sql);
  const add = (address: string) =>
    addMember(sql, { shopId, email: address, create: { mailKey: null } }, operator);
  const added = await add(email());
  expect(await findResetLink(pages, added.token ?? "")).toMatchObject({ id: added.merchantId });
  expect((await add((await registered()).email)).token).toBeUndefined();
  const address = email();
  const unknown = { shopId: "shop_none", email: address, create: { mailKey: null } };
  await refused(addMember(sql, unknown, operator), "UNKNOWN_SHOP");
  expect(await findMerchantByEmail(sql, address)).toBe(null);
});

test("a merchant who is being erased can't be enabled, and gets no other address or password", async () => {
  const { id, email } = await registered();
  await disableForErasure(sql, id, operator);
  const set = (address: string) =>
    setPassword(sql, { email: address, password: NEW, passwordFrom: "person" }, operator);
  for (const change of [enable, move, set]) await refused(change(email), "ERASURE_UNDER_WAY");
  expect(await findMerchant(sql, id)).toMatchObject({ email, status: "disabled" });
});

test("each change of a merchant's status is recorded, and disabling the merchant ends all sessions", async () => {
  const merchant = await registered();
  for (const status of ["disabled", "disabled", "active", "active"] as const) {
    const changed = { ...merchant, status, sessionEpoch: 2 };
    expect(await setMerchantStatus(sql, merchant.email, status, operator)).toEqual(changed);
  }
  expect((await recordsOf(merchant)).map(({ event }) => event)).toEqual([
    "merchant_disable",
    "merchant_enable",
  ]);
  await refused(disable("nobody@shop.example"), "UNKNOWN_MERCHANT");
});
