import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture } from "../testing/merchant-fixture.ts";
import { hourThatLasts } from "../testing/pass-time.ts";
import { invite, type ShopWithPeople, shopWithPeople } from "./testing/shop-with-people.ts";

let fixture: MerchantFixture;
let shop: ShopWithPeople;

beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture?.replicas.stop());

const roles = async () =>
  (
    await fixture.replicas.sql`
      SELECT merchant_id, role FROM directory.memberships WHERE shop_id = ${shop.shopId} ORDER BY role DESC, merchant_id`
  ).map(({ merchant_id, role }) => [merchant_id, role]);
const open = async (who: keyof Pick<ShopWithPeople, "owner" | "member" | "stranger">, path = shop.path) =>
  await shop[who].browser.open(path);
const removal = (merchantId: string) => `${shop.path}/${merchantId}/remove`;

describe("who may connect apps for a shop", () => {
  test("after a refusal is a page that can be read in another language", async () => {
    shop = await shopWithPeople(fixture);
    const { browser } = shop.owner;
    const refused = await browser.press(await open("owner"), "Make an invitation link", { email: "nobody" });
    expect(refused.status).toBe(422);
    const { location } = await browser.press(refused, "Deutsch");
    expect(location).toContain(`${shop.path}?typed=`);
    const page = await browser.open(location ?? "");
    expect(page.forms.flatMap(({ inputs }) => inputs).find(({ name }) => name === "email")?.value).toBe("nobody");
    expect(page.headers["content-language"]).toBe("de");
  });

  test("is listed on Connected apps, for members too; the way to change it is shown to owners alone", async () => {
    shop = await shopWithPeople(fixture);
    await fixture.replicas.sql`UPDATE directory.merchants SET name = 'Ben' WHERE id = ${shop.member.id}`;
    const forOwner = (await open("owner", "/oauth/connections")).html;
    expect(forOwner).toContain("<li><bdi>Ada</bdi> (Owner)</li><li><bdi>Ben</bdi></li>");
    expect(forOwner).toContain(`<a href="${shop.path}">Add or remove people</a>`);
    const forMember = (await open("member", "/oauth/connections")).html;
    expect(forMember).toContain("<bdi>Ada</bdi> (Owner)");
    expect(forMember).not.toContain(shop.path);
    expect(forMember).toContain("An owner of the shop can add and remove people.");
  });

  test("is changed by owners of this shop: for everybody else the pages are unknown, and nothing changes", async () => {
    shop = await shopWithPeople(fixture);
    const before = await roles();
    const ownersPage = await open("owner");
    const removalPage = await open("owner", removal(shop.member.id));
    expect([ownersPage.status, removalPage.status]).toEqual([200, 200]);
    for (const who of ["member", "stranger"] as const) {
      for (const path of [shop.path, removal(shop.owner.id), removal(shop.member.id)]) {
        expect((await open(who, path)).status).toBe(404);
      }
      const { browser } = shop[who];
      // With a token of the form that is right for this browser, as another shop's page would give it.
      for (const [page, button] of [
        [ownersPage, "Make an invitation link"],
        [removalPage, "Remove"],
      ] as const) {
        expect((await browser.press(page, button, { email: "carl@new.example" })).status).toBe(404);
      }
    }
    expect((await open("owner", removal(shop.stranger.id))).status).toBe(404);
    expect((await open("owner", removal("mer_none"))).status).toBe(404);
    expect((await fixture.browser().open(shop.path)).location).toMatch(/^\/oauth\/sign-in\?return=/);
    expect(await roles()).toEqual(before);
  });
});

describe("removing a member", () => {
  test("is asked once more and takes effect at once; the audit record names the owner and the request", async () => {
    shop = await shopWithPeople(fixture);
    const list = await open("owner");
    const asked = await shop.owner.browser.press(list, "Remove");
    // Of two people the owner is the last one, so the only button is the member's.
    expect(asked.url).toContain(removal(shop.member.id));
    expect(asked.html).toContain("stay connected");
    expect(await roles()).toHaveLength(2);
    const memberPage = await open("member", "/oauth/connections");
    expect(memberPage.html).toContain("Fern &amp; Field");

    const done = await shop.owner.browser.press(asked, "Remove");
    expect(done.location).toBe(`${shop.path}?done=removed`);
    expect((await open("owner", done.location ?? "")).html).toContain("no longer has access to this shop");
    expect((await open("member", "/oauth/connections")).html).not.toContain("Fern &amp; Field");
    const [record] = await fixture.replicas.sql`
      SELECT actor, merchant_id, ip, request_id FROM oauth.audit_log
      WHERE shop_id = ${shop.shopId} AND event = 'member_remove'`;
    expect(record).toEqual({
      actor: `merchant:${shop.owner.id}`,
      merchant_id: shop.member.id,
      ip: expect.stringMatching(/^10\./),
      request_id: expect.stringMatching(/./),
    });
  });

  test("takes the consent page from her, too, though it was open already", async () => {
    shop = await shopWithPeople(fixture);
    const { page } = await fixture.consent(shop.member.browser, shop.member);
    const radio = page.forms[0]?.radios[0]?.value ?? page.forms[0]?.fields["shop"] ?? shop.shopId;
    await shop.owner.browser.press(await open("owner", removal(shop.member.id)), "Remove");
    const refused = await shop.member.browser.press(page, "Approve", { shop: radio });
    expect(refused.location).toBeNull();
    expect(await fixture.connectionOf(shop.shopId)).toBeUndefined();
  });

  test("is refused for the last owner, also when the other one has gone since the page was opened", async () => {
    shop = await shopWithPeople(fixture);
    expect((await open("owner")).html).not.toContain(removal(shop.owner.id));
    await fixture.replicas.sql`UPDATE directory.memberships SET role = 'owner' WHERE shop_id = ${shop.shopId}`;
    const leave = await open("owner", removal(shop.owner.id));
    expect(leave.html).toContain("Afterwards you can’t open the pages of this shop any more.");
    await fixture.replicas.sql`
      UPDATE directory.memberships SET role = 'member' WHERE shop_id = ${shop.shopId} AND merchant_id = ${shop.member.id}`;
    const refused = await shop.owner.browser.press(leave, "Remove");
    expect(refused.status).toBe(422);
    expect(refused.html).toContain("A shop keeps one owner at least.");
    expect(await roles()).toEqual([
      [shop.owner.id, "owner"],
      [shop.member.id, "member"],
    ]);
  });

  test("of two owners who press Remove for each other at the same moment, one stays", async () => {
    for (let round = 0; round < 5; round += 1) {
      shop = await shopWithPeople(fixture);
      await fixture.replicas.sql`UPDATE directory.memberships SET role = 'owner' WHERE shop_id = ${shop.shopId}`;
      const pages = [
        await open("owner", removal(shop.member.id)),
        await open("member", removal(shop.owner.id)),
      ] as const;
      const answers = await Promise.all([
        shop.owner.browser.press(pages[0], "Remove"),
        shop.member.browser.press(pages[1], "Remove"),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
      expect(await roles()).toHaveLength(1);
    }
  });

  test("with a form that is out of date is asked again", async () => {
    shop = await shopWithPeople(fixture);
    const page = await open("owner", removal(shop.member.id));
    const again = await shop.owner.browser.press(page, "Remove", { token: "of another page" });
    expect([again.status, await roles()]).toEqual([403, expect.toSatisfy((all: unknown[]) => all.length === 2)]);
    expect((await shop.owner.browser.press(again, "Remove")).status).toBe(303);
  });
});

describe("inviting", () => {
  test("shows a link once, which Postgres has no copy of; the invitation is listed and can be withdrawn", async () => {
    shop = await shopWithPeople(fixture);
    const link = await invite(shop, "Carl@New.example", { role: "owner" });
    expect(link).toMatch(/^\/oauth\/invitation\?link=pci_[\w-]{43}$/);
    const page = await open("owner");
    expect(page.html).toContain("<bdi>carl@new.example</bdi>");
    expect(page.html).not.toMatch(/link(?:=|%3D)pci_/);
    const withdrawn = await shop.owner.browser.press(page, "Withdraw");
    expect((await open("owner", withdrawn.location ?? "")).html).toContain("The invitation is withdrawn.");
    expect((await fixture.browser().open(link)).status).toBe(410);
    expect((await shop.owner.browser.press(page, "Withdraw")).location).toBe(shop.path);
    expect(
      await fixture.replicas.sql`SELECT event FROM oauth.audit_log WHERE shop_id = ${shop.shopId} ORDER BY id`,
    ).toEqual([{ event: "member_invite" }, { event: "member_uninvite" }]);
  });

  test("says the same of an address with an account and of one without", async () => {
    // The day when the link ends is on the page.
    await hourThatLasts();
    shop = await shopWithPeople(fixture);
    const seen = [];
    for (const email of [shop.stranger.email, `${crypto.randomUUID()}@shop.example`]) {
      const made = await shop.owner.browser.press(await open("owner"), "Make an invitation link", { email });
      const page = await shop.owner.browser.open(made.location ?? "");
      seen.push([
        page.status,
        page.html
          .replaceAll(email, "")
          .replaceAll(encodeURIComponent(email), "")
          .replaceAll(/pci_[\w-]{43}|made=[\w-]+/g, ""),
      ]);
    }
    expect(seen[0]).toEqual(seen[1]);
  });

  test.each([
    ["carl", "This is not a complete email address"],
    ["", "This is not a complete email address"],
    ["carl@new.example\u0000", "This is not a complete email address"],
    ["the member's", "This person belongs to the shop already."],
  ])("the address %j is refused on the page, which keeps what was typed", async (typed, problem) => {
    shop = await shopWithPeople(fixture);
    const email = typed === "the member's" ? shop.member.email : typed;
    const page = await shop.owner.browser.press(await open("owner"), "Make an invitation link", {
      email,
      role: "owner",
    });
    expect(page.status).toBe(422);
    expect(page.html).toContain(problem);
    const inputs = page.forms.flatMap(({ inputs }) => inputs);
    expect(inputs.find(({ name }) => name === "email")?.value).toBe(email);
    expect(inputs.find(({ name, checked }) => name === "role" && checked)?.value).toBe("owner");
    expect(
      await fixture.replicas.sql`SELECT FROM directory.merchant_links WHERE shop_id = ${shop.shopId}`,
    ).toHaveLength(0);
  });

  test("with a form of another browser makes nothing", async () => {
    shop = await shopWithPeople(fixture);
    const page = await shop.owner.browser.press(await open("owner"), "Make an invitation link", {
      email: "carl@new.example",
      token: "x",
    });
    expect(page.status).toBe(403);
    expect(page.html).not.toMatch(/link(?:=|%3D)pci_/);
  });
});
