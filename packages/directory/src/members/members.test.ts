import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  acceptInvitation,
  addMember,
  changeRole,
  findInvitation,
  findMerchantByEmail,
  inviteMember,
  makeInvitedAccount,
  membersOfShop,
  pendingInvitations,
  removeMember,
  setMerchantStatus,
  shopsOfMerchant,
  verifyPassword,
  withdrawInvitation,
} from "../index.ts";
import { onboardMerchant, onboardShop } from "../testing.ts";

let database: TestDatabase;
let owner: Sql;
/** As the merchant pages work, so that the grants are tested too. */
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "members-test" });
  sql = connectDatabase(database.authorizationServerUrl, { name: "members-test", connections: 4 });
});
afterAll(async () => {
  await sql?.end();
  await owner?.end();
  await database?.drop();
});

const operator = { name: "operator:test" };
const by = ({ id }: { id: string }) => ({ name: `merchant:${id}`, ip: "192.0.2.1", requestId: "request-1" });
const code = (code: string) => expect.objectContaining({ name: "DirectoryError", code });

/** Anna owns the shop, Ben is a member, Eve is neither. */
async function world() {
  const [anna, ben, eve] = [await onboardMerchant(owner), await onboardMerchant(owner), await onboardMerchant(owner)];
  const shopId = await onboardShop(owner, { merchants: [anna.id] });
  await addMember(owner, { shopId, email: ben.email, role: "member" }, operator);
  return { anna, ben, eve, shopId };
}

const roles = async (shopId: string) => (await membersOfShop(sql, shopId)).map(({ email, role }) => [email, role]);
const events = (shopId: string) => owner`
  SELECT event, actor, merchant_id, request_id, details FROM oauth.audit_log WHERE shop_id = ${shopId} ORDER BY id`;
/** The mails that wait, by whom they are for: those of adding and inviting aside. */
const mails = async (shopId: string) =>
  (
    await owner`
      SELECT kind, merchant_id FROM oauth.mails
      WHERE shop_id = ${shopId} AND kind IN ('member_removed', 'member_role') ORDER BY merchant_id`
  ).map(({ kind, merchant_id }) => [kind, merchant_id]);
const audit = async (shopId: string) => (await events(shopId)).map(({ event, actor }) => [event, actor]);

describe("an operator", () => {
  test("adds a merchant with an account, and gives her the other role", async () => {
    const { anna, ben, shopId } = await world();
    expect(await roles(shopId)).toEqual([
      [anna.email, "owner"],
      [ben.email, "member"],
    ]);
    expect(await shopsOfMerchant(sql, ben.id)).toMatchObject([{ id: shopId, role: "member" }]);
    await addMember(owner, { shopId, email: ben.email.toUpperCase(), role: "owner" }, operator);
    await addMember(owner, { shopId, email: anna.email, role: "member" }, operator);
    expect(await roles(shopId)).toEqual([
      [ben.email, "owner"],
      [anna.email, "member"],
    ]);
    expect(await events(shopId)).toMatchObject([
      {
        event: "member_add",
        actor: "operator:test",
        merchant_id: ben.id,
        details: { email: ben.email, role: "member" },
      },
      { event: "member_add", merchant_id: ben.id, details: { role: "owner", from: "member" } },
      { event: "member_add", merchant_id: anna.id, details: { role: "member", from: "owner" } },
    ]);
  });

  test("is refused what can't be, and nothing changes", async () => {
    const { anna, ben, eve, shopId } = await world();
    const before = [await roles(shopId), await audit(shopId)];
    const add = (member: object) => addMember(owner, { shopId, email: eve.email, role: "member", ...member }, operator);
    await expect(add({ email: "nobody@shop.example" })).rejects.toEqual(code("UNKNOWN_MERCHANT"));
    await expect(add({ shopId: "shop_none" })).rejects.toEqual(code("UNKNOWN_SHOP"));
    await expect(add({ role: "boss" })).rejects.toEqual(code("INVALID_ROLE"));
    await expect(add({ email: ben.email })).rejects.toEqual(code("ALREADY_MEMBER"));
    await expect(add({ email: anna.email, role: "member" })).rejects.toEqual(code("LAST_OWNER"));
    await expect(removeMember(owner, { shopId, merchantId: anna.id }, operator)).rejects.toEqual(code("LAST_OWNER"));
    await expect(removeMember(owner, { shopId, merchantId: eve.id }, operator)).rejects.toEqual(code("UNKNOWN_MEMBER"));
    expect([await roles(shopId), await audit(shopId)]).toEqual(before);
  });
});

describe("removing", () => {
  test("takes the shop from the member, and is recorded with who did it", async () => {
    const { anna, ben, shopId } = await world();
    await removeMember(sql, { shopId, merchantId: ben.id, byOwner: anna.id }, by(anna));
    expect(await shopsOfMerchant(sql, ben.id)).toEqual([]);
    expect((await events(shopId)).at(-1)).toEqual({
      event: "member_remove",
      actor: `merchant:${anna.id}`,
      merchant_id: ben.id,
      request_id: "request-1",
      details: { email: ben.email, role: "member" },
    });
  });

  test("is for owners of this very shop", async () => {
    const { anna, ben, eve, shopId } = await world();
    const other = await onboardShop(owner, { merchants: [eve.id] });
    const remove = (byOwner: string, removal: object) =>
      removeMember(sql, { shopId, merchantId: ben.id, byOwner, ...removal }, operator);
    await expect(remove(ben.id, { merchantId: anna.id })).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(remove(eve.id, {})).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(remove(anna.id, { shopId: other, merchantId: eve.id })).rejects.toEqual(code("NOT_AN_OWNER"));
    expect(await roles(shopId)).toHaveLength(2);
  });

  test("of two owners who remove each other at the same moment, one stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { anna, ben, shopId } = await world();
      await addMember(owner, { shopId, email: ben.email, role: "owner" }, operator);
      const outcomes = await Promise.allSettled([
        removeMember(sql, { shopId, merchantId: ben.id, byOwner: anna.id }, by(anna)),
        removeMember(sql, { shopId, merchantId: anna.id, byOwner: ben.id }, by(ben)),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await roles(shopId)).toEqual([[expect.any(String), "owner"]]);
    }
  });

  test("of two owners who both leave at the same moment, one stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { anna, ben, shopId } = await world();
      await addMember(owner, { shopId, email: ben.email, role: "owner" }, operator);
      const leave = (merchant: { id: string }) =>
        removeMember(sql, { shopId, merchantId: merchant.id, byOwner: merchant.id }, by(merchant));
      const outcomes = await Promise.allSettled([leave(anna), leave(ben)]);
      expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: code("LAST_OWNER") });
      expect(await roles(shopId)).toHaveLength(1);
    }
  });
});

describe("leaving", () => {
  test("is recorded as what the member did herself, and the owners get a mail", async () => {
    const { anna, ben, shopId } = await world();
    await removeMember(sql, { shopId, merchantId: ben.id }, by(ben));
    expect((await events(shopId)).at(-1)).toMatchObject({ event: "member_leave", merchant_id: ben.id });
    expect(await mails(shopId)).toEqual([["member_removed", anna.id]]);
  });
});

describe("a change of role", () => {
  const change = (shopId: string, who: { id: string }, role: string, owner: { id: string }) =>
    changeRole(sql, { shopId, merchantId: who.id, role, byOwner: owner.id }, by(owner));

  test("makes a member an owner and back; it is recorded once, and all who own the shop before or after get a mail", async () => {
    const { anna, ben, shopId } = await world();
    await change(shopId, ben, "owner", anna);
    await change(shopId, ben, "owner", anna);
    expect(await mails(shopId)).toEqual([anna.id, ben.id].toSorted().map((id) => ["member_role", id]));
    await owner`DELETE FROM oauth.mails WHERE shop_id = ${shopId}`;
    await change(shopId, anna, "member", ben);
    expect(await roles(shopId)).toEqual([
      [ben.email, "owner"],
      [anna.email, "member"],
    ]);
    expect((await events(shopId)).slice(-2)).toMatchObject([
      { event: "member_role", merchant_id: ben.id, details: { role: "owner", from: "member" } },
      { event: "member_role", merchant_id: anna.id, details: { role: "member", from: "owner" } },
    ]);
    expect(await mails(shopId)).toEqual([anna.id, ben.id].toSorted().map((id) => ["member_role", id]));
  });

  test("is for owners of this very shop, and leaves one of them", async () => {
    const { anna, ben, eve, shopId } = await world();
    const before = [await roles(shopId), await audit(shopId)];
    await expect(change(shopId, ben, "owner", ben)).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(change(shopId, ben, "owner", eve)).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(change(shopId, ben, "boss", anna)).rejects.toEqual(code("INVALID_ROLE"));
    await expect(change(shopId, anna, "member", anna)).rejects.toEqual(code("LAST_OWNER"));
    await expect(change(shopId, eve, "owner", anna)).rejects.toEqual(code("UNKNOWN_MEMBER"));
    expect([await roles(shopId), await audit(shopId)]).toEqual(before);
    expect(await mails(shopId)).toEqual([]);
  });

  test("of two owners who take the role from each other at the same moment, one stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { anna, ben, shopId } = await world();
      await change(shopId, ben, "owner", anna);
      const outcomes = await Promise.allSettled([
        change(shopId, ben, "member", anna),
        change(shopId, anna, "member", ben),
      ]);
      expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: code("NOT_AN_OWNER") });
      expect((await roles(shopId)).map(([, role]) => role)).toEqual(["owner", "member"]);
    }
  });

  test("of an owner who takes the role from the other one, while that one leaves, keeps an owner", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { anna, ben, shopId } = await world();
      await change(shopId, ben, "owner", anna);
      await Promise.allSettled([
        change(shopId, ben, "member", anna),
        removeMember(sql, { shopId, merchantId: anna.id }, by(anna)),
      ]);
      expect((await roles(shopId)).filter(([, role]) => role === "owner")).toHaveLength(1);
    }
  });
});

describe("an invitation", () => {
  const invited = "carl@new.example";
  const invite = async (options: object = {}) => {
    const people = await world();
    const { anna, shopId } = people;
    const invitation = { shopId, email: invited, role: "member", byOwner: anna.id, ...options };
    return { ...people, ...(await inviteMember(sql, invitation, by(anna))) };
  };

  test("is for one address, lasts seven days, and Postgres has the hash of its token", async () => {
    const { anna, shopId, token, expiresAt } = await invite({ email: " Carl@New.example " });
    expect(token).toMatch(/^pci_[A-Za-z0-9_-]{43}$/);
    expect(Math.round((expiresAt.getTime() - Date.now()) / 3_600_000)).toBe(7 * 24);
    expect(await findInvitation(sql, token)).toEqual({
      to: { id: shopId, name: "Fern & Field", domain: null },
      mailed: false,
      email: invited,
      role: "member",
      inviter: "Ada",
      inviterId: anna.id,
    });
    const stored = JSON.stringify([await owner`SELECT * FROM directory.merchant_links`, await events(shopId)]);
    expect(stored).not.toContain(token.slice(4));
    expect((await audit(shopId)).at(-1)).toEqual(["member_invite", `merchant:${anna.id}`]);
  });

  test("is made by owners of the shop alone, and never for a member", async () => {
    const { anna, ben, eve, shopId } = await world();
    const attempt = (change: object) =>
      inviteMember(sql, { shopId, email: invited, role: "member", byOwner: anna.id, ...change }, by(anna));
    await expect(attempt({ byOwner: ben.id })).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(attempt({ byOwner: eve.id })).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(attempt({ shopId: "shop_none" })).rejects.toEqual(code("NOT_AN_OWNER"));
    await expect(attempt({ email: ben.email })).rejects.toEqual(code("ALREADY_MEMBER"));
    await expect(attempt({ email: "carl" })).rejects.toEqual(code("INVALID_EMAIL"));
    await expect(attempt({ role: "" })).rejects.toEqual(code("INVALID_ROLE"));
    expect(await pendingInvitations(sql, { shopId })).toEqual([]);
  });

  test("makes no difference between an address with an account and one without", async () => {
    const { eve, anna, shopId } = await world();
    const shapes = [];
    for (const email of [eve.email, invited]) {
      const made = await inviteMember(sql, { shopId, email, role: "member", byOwner: anna.id }, by(anna));
      shapes.push(Object.keys(made));
    }
    expect(shapes[0]).toEqual(shapes[1]);
  });

  test("ends the former one for the same address; a shop has fifty at most", async () => {
    const { anna, shopId, token } = await invite();
    const again = await inviteMember(sql, { shopId, email: invited, role: "owner", byOwner: anna.id }, by(anna));
    expect(await findInvitation(sql, token)).toBeNull();
    expect(await pendingInvitations(sql, { shopId })).toMatchObject([{ email: invited, role: "owner" }]);
    const more = Array.from({ length: 60 }, (_, n) =>
      inviteMember(sql, { shopId, email: `n${n}@new.example`, role: "member", byOwner: anna.id }, by(anna)),
    );
    const refused = (await Promise.allSettled(more)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(11);
    expect(refused[0]).toMatchObject({ reason: code("TOO_MANY_INVITATIONS") });
    expect(await findInvitation(sql, again.token)).not.toBeNull();
  });

  test("is accepted once by the merchant whose address it names, whoever else has the link", async () => {
    const { anna, eve, shopId } = await world();
    const { token } = await inviteMember(sql, { shopId, email: eve.email, role: "member", byOwner: anna.id }, by(anna));
    const stranger = { ...(await onboardMerchant(owner)), name: "Mallory" };
    await expect(acceptInvitation(sql, token, stranger, {})).rejects.toEqual(code("INVITATION_ENDED"));
    const merchant = { ...eve, name: "Eve" };
    const both = [acceptInvitation(sql, token, merchant, {}), acceptInvitation(sql, token, merchant, {})];
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await roles(shopId)).toContainEqual([eve.email, "member"]);
    expect((await audit(shopId)).filter(([, actor]) => actor === `merchant:${eve.id}`)).toHaveLength(1);
    expect(await findInvitation(sql, token)).toBeNull();
  });

  test("withdrawn, expired or unknown opens nothing", async () => {
    const { anna, ben, shopId, token } = await invite();
    const [waiting] = await pendingInvitations(sql, { shopId });
    const id = waiting?.id ?? "";
    const withdraw = (change: object) => withdrawInvitation(sql, { shopId, id, byOwner: anna.id, ...change }, by(anna));
    await expect(withdraw({ byOwner: ben.id })).rejects.toEqual(code("NOT_AN_OWNER"));
    expect(await withdraw({ id: "00" })).toBe(false);
    expect(await withdraw({})).toBe(true);
    expect(await withdraw({})).toBe(false);
    expect((await audit(shopId)).at(-1)).toEqual(["member_uninvite", `merchant:${anna.id}`]);
    const late = await inviteMember(sql, { shopId, email: invited, role: "member", byOwner: anna.id }, by(anna));
    await owner`UPDATE directory.merchant_links SET expires_at = now() - interval '1 second' WHERE shop_id = ${shopId} AND used_at IS NULL`;
    for (const ended of [token, late.token, "pci_unknown", ""]) {
      expect(await findInvitation(sql, ended)).toBeNull();
      const join = makeInvitedAccount(sql, ended, { name: "C", password: "a long enough one" }, {});
      await expect(join).rejects.toEqual(code("INVITATION_ENDED"));
    }
    expect(await findMerchantByEmail(sql, invited)).toBeNull();
  });

  test("ends when the owner who made it, or the merchant it waits for, is removed", async () => {
    const { anna, ben, shopId, token } = await invite();
    await addMember(owner, { shopId, email: ben.email, role: "owner" }, operator);
    await removeMember(sql, { shopId, merchantId: anna.id, byOwner: ben.id }, by(ben));
    expect(await findInvitation(sql, token)).toBeNull();

    const forAnna = { shopId, email: anna.email, role: "owner", byOwner: ben.id };
    const { token: waiting } = await inviteMember(sql, forAnna, by(ben));
    await addMember(owner, { shopId, email: anna.email, role: "member" }, operator);
    await removeMember(sql, { shopId, merchantId: anna.id, byOwner: ben.id }, by(ben));
    await expect(acceptInvitation(sql, waiting, { ...anna, name: "Anna" }, {})).rejects.toEqual(
      code("INVITATION_ENDED"),
    );
  });

  test("is of no use while its maker's account is disabled, and ends when she is an owner no longer", async () => {
    const { anna, ben, eve, shopId } = await world();
    await addMember(owner, { shopId, email: ben.email, role: "owner" }, operator);
    const { token } = await inviteMember(sql, { shopId, email: eve.email, role: "member", byOwner: anna.id }, by(anna));
    await setMerchantStatus(owner, anna.email, "disabled", operator);
    const accept = () => acceptInvitation(sql, token, { ...eve, name: "Eve" }, {});
    await expect(accept()).rejects.toEqual(code("INVITATION_ENDED"));
    expect(await findInvitation(sql, token)).toBeNull();
    await setMerchantStatus(owner, anna.email, "active", operator);
    expect(await findInvitation(sql, token)).not.toBeNull();
    await addMember(owner, { shopId, email: anna.email, role: "member" }, operator);
    expect(await pendingInvitations(sql, { shopId })).toEqual([]);
    await expect(accept()).rejects.toEqual(code("INVITATION_ENDED"));
  });

  test("accepted while its maker is removed makes a member or none, as it tells", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { anna, ben, eve, shopId } = await world();
      await addMember(owner, { shopId, email: ben.email, role: "owner" }, operator);
      const { token } = await inviteMember(sql, { shopId, email: eve.email, role: "member", byOwner: ben.id }, by(ben));
      const [removed, accepted] = await Promise.allSettled([
        removeMember(sql, { shopId, merchantId: ben.id, byOwner: anna.id }, by(anna)),
        acceptInvitation(sql, token, { ...eve, name: "Eve" }, {}),
      ]);
      expect(removed.status).toBe("fulfilled");
      const isMember = (await shopsOfMerchant(sql, eve.id)).length === 1;
      expect(isMember).toBe(accepted.status === "fulfilled");
      expect(await findInvitation(sql, token)).toBeNull();
    }
  });

  test("makes one account for the invited address, and waits to be accepted with it", async () => {
    const { anna, shopId, token } = await invite({ role: "owner" });
    const password = "five plain words in a row";
    const make = (account: object) =>
      makeInvitedAccount(sql, token, { name: "Carl", password, ...account }, { requestId: "request-2" });
    await expect(make({ name: " " })).rejects.toEqual(code("INVALID_NAME"));
    await expect(make({ password: "short" })).rejects.toEqual(code("INVALID_PASSWORD"));
    expect(await findMerchantByEmail(sql, invited)).toBeNull();
    const made = await Promise.all([make({}), make({ password: "another one of that length" })]);
    const merchant = (await findMerchantByEmail(sql, invited)) ?? expect.fail("no account");
    expect(made.toSorted()).toEqual([merchant.id, null]);
    expect(await verifyPassword(merchant.passwordHash, password)).toBe(made[0] !== null);
    expect(await roles(shopId)).not.toContainEqual([invited, "owner"]);
    await acceptInvitation(sql, token, merchant, {});
    expect(await roles(shopId)).toContainEqual([invited, "owner"]);
    expect(
      await owner`
      SELECT event, actor, request_id, details FROM directory.audit_log WHERE merchant_id = ${merchant.id}`,
    ).toEqual([
      {
        event: "merchant_create",
        actor: `merchant:${merchant.id}`,
        request_id: "request-2",
        details: { email: invited, invited_by: anna.id, invited_to: shopId },
      },
    ]);
  });

  test("makes no second account for an address that has one, and leaves that one's password", async () => {
    const { anna, eve, shopId } = await world();
    const { token } = await inviteMember(sql, { shopId, email: eve.email, role: "member", byOwner: anna.id }, by(anna));
    const before = await owner`SELECT * FROM directory.merchants WHERE id = ${eve.id}`;
    expect(await makeInvitedAccount(sql, token, { name: "Eve", password: "a long enough one" }, {})).toBeNull();
    expect(await owner`SELECT * FROM directory.merchants WHERE id = ${eve.id}`).toEqual(before);
    await acceptInvitation(sql, token, { ...eve, name: "Eve" }, {});
    expect(await roles(shopId)).toContainEqual([eve.email, "member"]);
  });
});
