import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture } from "../testing/merchant-fixture.ts";
import { type ShopWithPeople, shopWithPeople } from "./testing/shop-with-people.ts";

let fixture: MerchantFixture;
let shop: ShopWithPeople;

beforeAll(async () => {
  fixture = await merchantFixture();
});
beforeEach(async () => {
  shop = await shopWithPeople(fixture);
});
afterAll(() => fixture?.replicas.stop());

const roleOf = async (merchantId: string): Promise<unknown> =>
  (
    await fixture.replicas.sql`
      SELECT role FROM directory.memberships WHERE shop_id = ${shop.shopId} AND merchant_id = ${merchantId}`
  )[0]?.["role"];
const leavePath = () => `/oauth/connections/${shop.shopId}/leave`;
const roleForm = (merchantId: string) => `${shop.path}/${merchantId}/role`;

describe("the role of a member", () => {
  test("is changed by an owner, and back, with a record of both", async () => {
    const { owner, member, path } = shop;
    await owner.browser.press(await owner.browser.open(path), "Make an owner");
    expect(await roleOf(member.id)).toBe("owner");
    const page = await owner.browser.open(path);
    const form = page.forms.find(({ action }) => action === roleForm(member.id));
    if (!form) throw new Error("no form for the member");
    await owner.browser.press({ ...page, forms: [form] }, "Make a member");
    expect(await roleOf(member.id)).toBe("member");
    const records = await fixture.replicas.sql`
      SELECT actor, details FROM oauth.audit_log
      WHERE shop_id = ${shop.shopId} AND merchant_id = ${member.id} AND event = 'member_role' ORDER BY id`;
    expect(records.map(({ actor, details }) => [actor, details])).toEqual([
      [`merchant:${owner.id}`, { email: member.email, role: "owner", from: "member" }],
      [`merchant:${owner.id}`, { email: member.email, role: "member", from: "owner" }],
    ]);
  });

  test("of the only owner can't be changed, and she can't be removed: the page says why", async () => {
    const { owner, path } = shop;
    const page = await owner.browser.open(path);
    expect(page.html).toContain("As the only owner, this person can’t be removed or become a member");
    expect(page.forms.filter(({ action }) => action.includes(owner.id))).toEqual([]);
    const other = page.forms.find(({ action }) => action.endsWith("/role"));
    if (!other) throw new Error("no form of a role");
    const forged = { ...page, forms: [{ ...other, action: roleForm(owner.id) }] };
    const refused = await owner.browser.press(forged, "Make an owner", { role: "member" });
    expect([refused.status, await roleOf(owner.id)]).toEqual([422, "owner"]);
    expect(refused.html).toContain("A shop keeps one owner at least.");
  });

  test("of two owners who step down at once, one stays", async () => {
    const { owner, member, path } = shop;
    await owner.browser.press(await owner.browser.open(path), "Make an owner");
    const steps = await Promise.all(
      [owner, member].map(async ({ id, browser }) => {
        const page = await browser.open(path);
        const form = page.forms.find(({ action }) => action === roleForm(id));
        if (!form) throw new Error("no form of one's own");
        return { browser, page: { ...page, forms: [form] } };
      }),
    );
    const answers = await Promise.all(steps.map(({ browser, page }) => browser.press(page, "Make a member")));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect([await roleOf(owner.id), await roleOf(member.id)].sort()).toEqual(["member", "owner"]);
  });

  test("of two owners who make each other a member at once, one stays", async () => {
    const { owner, member, path } = shop;
    await owner.browser.press(await owner.browser.open(path), "Make an owner");
    const steps = await Promise.all(
      [owner, member].map(async ({ id, browser }) => {
        const page = await browser.open(path);
        const form = page.forms.find(({ action }) => action.endsWith("/role") && action !== roleForm(id));
        if (!form) throw new Error("no form of the other owner");
        return { browser, page: { ...page, forms: [form] } };
      }),
    );
    const answers = await Promise.all(steps.map(({ browser, page }) => browser.press(page, "Make a member")));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect([await roleOf(owner.id), await roleOf(member.id)].sort()).toEqual(["member", "owner"]);
  });

  test.each([
    ["a form out of date", 403, { token: "of another page" }],
    ["a role that there is not", 404, { role: "admin" }],
  ])("is not changed by %s", async (_, status, fields) => {
    const { owner, member, path } = shop;
    const refused = await owner.browser.press(await owner.browser.open(path), "Make an owner", fields);
    expect([refused.status, await roleOf(member.id)]).toEqual([status, "member"]);
  });

  test("is for owners alone, and of members alone", async () => {
    const { owner, member, stranger, path } = shop;
    const page = await owner.browser.open(path);
    const form = page.forms.find(({ action }) => action === roleForm(member.id));
    if (!form) throw new Error("no form for the member");
    for (const { browser } of [member, stranger]) {
      const refused = await browser.press({ ...page, forms: [form] }, "Make an owner");
      expect([refused.status, await roleOf(member.id)]).toEqual([404, "member"]);
    }
    const forged = { ...page, forms: [{ ...form, action: roleForm(stranger.id) }] };
    expect((await owner.browser.press(forged, "Make an owner")).status).toBe(404);
  });
});

describe("a member", () => {
  test("leaves the shop, from Connected apps, and nobody else does by that", async () => {
    const { owner, member } = shop;
    const apps = await member.browser.open("/oauth/connections");
    expect(apps.html).toContain(`<a href="${leavePath()}">Leave this shop</a>`);
    const page = await member.browser.open(leavePath());
    expect(page.html).toContain("<h1>Leave <bdi>Fern &amp; Field</bdi>?</h1>");
    expect(page.html).toContain("Apps that you have connected stay connected.");
    expect((await member.browser.press(page, "Leave this shop")).location).toBe("/oauth/connections");
    expect([await roleOf(member.id), await roleOf(owner.id)]).toEqual([undefined, "owner"]);
    const left = await fixture.replicas.sql`
      SELECT actor FROM oauth.audit_log WHERE shop_id = ${shop.shopId} AND event = 'member_leave'`;
    expect(left).toEqual([{ actor: `merchant:${member.id}` }]);
    expect((await member.browser.open(leavePath())).status).toBe(404);
  });

  test("can't take anybody else out, and the only owner can't leave", async () => {
    const { owner, member, path } = shop;
    expect((await member.browser.open(`${path}/${owner.id}/remove`)).status).toBe(404);
    const page = await owner.browser.open(leavePath());
    expect(page.html).toContain("A shop keeps one owner at least. Invite another owner first.");
    expect(page.html).toContain(`<a class="button primary" href="${path}">Add or remove people</a>`);
    expect(page.forms.filter(({ action }) => action.endsWith("/leave"))).toEqual([]);
    expect(await roleOf(owner.id)).toBe("owner");
  });

  test("who is the only owner since the page was opened is told why she can't leave", async () => {
    const { owner, member, path } = shop;
    await owner.browser.press(await owner.browser.open(path), "Make an owner");
    const page = await owner.browser.open(leavePath());
    await fixture.replicas.sql`
      UPDATE directory.memberships SET role = 'member' WHERE shop_id = ${shop.shopId} AND merchant_id = ${member.id}`;
    const refused = await owner.browser.press(page, "Leave this shop");
    expect([refused.status, await roleOf(owner.id)]).toEqual([422, "owner"]);
    expect(refused.html).toContain("A shop keeps one owner at least.");
  });
});
