import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  acceptInvitation,
  addMember,
  createResetLink,
  createShop,
  findMerchantByEmail,
  inviteMember,
  listShops,
  makeInvitedAccount,
  membersOfShop,
  resetPassword,
  setPassword,
  showMerchant,
} from "../index.ts";
import { onboardMerchant, onboardShop, TEST_OPERATOR } from "../testing.ts";

let database: TestDatabase;
/** Operators work as the owner, the pages as the authorization server. */
let owner: Sql;
let pages: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "unconfirmed-test" });
  pages = connectDatabase(database.authorizationServerUrl, { name: "unconfirmed-test" });
});
afterAll(async () => {
  await pages?.end();
  await owner?.end();
  await database?.drop();
});

const PASSWORD = "five plain words in a row";
let count = 0;

/** The owner of some shop has invited an address, and has opened the link. */
let mallory: { id: string; email: string };
let hats: string;
let email: string;
let anna: { id: string; email: string };
let fern: string;

beforeEach(async () => {
  [mallory, anna] = [await onboardMerchant(owner), await onboardMerchant(owner)];
  hats = await onboardShop(owner, { name: "Hats", merchants: [mallory.id] });
  fern = await onboardShop(owner, { name: "Fern", merchants: [anna.id] });
  count += 1;
  email = `carl-${count}@shop.example`;
  const token = await invited(mallory, hats);
  await makeInvitedAccount(pages, token, { name: "Carl", password: PASSWORD }, {});
  await acceptInvitation(pages, token, await account(), {});
});

async function invited(by: { id: string }, shopId: string): Promise<string> {
  const made = await inviteMember(
    pages,
    { shopId, email, role: "member", byOwner: by.id },
    { name: `merchant:${by.id}` },
  );
  return made.token;
}
const account = async () => (await findMerchantByEmail(owner, email)) ?? expect.fail("no account");
const refusal = () =>
  expect.objectContaining({
    code: "UNCONFIRMED_MERCHANT",
    message: `the account of ${email} is not confirmed: it was made by an invitation of ${mallory.email} (${mallory.id}) to the shop "Hats" (${hats})`,
  });
const createFor = (options: object = {}) =>
  createShop(owner, { name: "Carl's", ownerEmail: email, plan: "standard", ...options }, TEST_OPERATOR);
const addTo = (options: object = {}) =>
  addMember(owner, { shopId: fern, email, role: "owner", ...options }, TEST_OPERATOR);

describe("an account that an invitation made", () => {
  test("is given no shop by an operator, who is told who invited it", async () => {
    const shops = await listShops(owner);
    await expect(createFor()).rejects.toEqual(refusal());
    await expect(addTo()).rejects.toEqual(refusal());
    await expect(addTo({ shopId: hats, email: email.toUpperCase() })).rejects.toEqual(refusal());
    expect(await listShops(owner)).toEqual(shops);
    expect(await membersOfShop(owner, fern)).toHaveLength(1);
  });

  test("is given one by an operator who says so, and stays unconfirmed", async () => {
    await createFor({ allowUnconfirmed: true });
    await addTo({ allowUnconfirmed: true });
    expect(await membersOfShop(owner, fern)).toHaveLength(2);
    await expect(createFor()).rejects.toEqual(refusal());
  });

  test("is confirmed by a reset link that was used, and by nothing else", async () => {
    await acceptInvitation(pages, await invited(anna, fern), await account(), {});
    await setPassword(owner, { email, password: `${PASSWORD} again`, passwordFrom: "person" }, TEST_OPERATOR);
    const { token } = await createResetLink(owner, email, TEST_OPERATOR);
    expect((await resetPassword(pages, token, "short", {})).outcome).toBe("refused");
    await expect(createFor()).rejects.toEqual(refusal());
    expect(await showMerchant(owner, email)).toMatchObject({ confirmed: false });

    expect((await resetPassword(pages, token, "quinces ripen in late october", {})).outcome).toBe("changed");
    await createFor();
    expect(await showMerchant(owner, email)).toMatchObject({
      confirmed: true,
      invited: { by: { id: mallory.id, email: mallory.email }, to: { id: hats, name: "Hats" } },
    });
  });
});

test("an account that an operator made is confirmed, and invited by nobody", async () => {
  expect(await showMerchant(owner, anna.email)).toMatchObject({ confirmed: true, invited: null });
});

test("an account that a former release makes is unconfirmed", async () => {
  await pages`INSERT INTO directory.merchants (email, name, password_hash) VALUES (${`former-${email}`}, 'F', '-')`;
  await expect(createFor({ ownerEmail: `former-${email}` })).rejects.toMatchObject({
    message: `the account of former-${email} is not confirmed: a former release made it, perhaps by an invitation`,
  });
});
