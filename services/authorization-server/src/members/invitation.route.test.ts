import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture } from "../testing/merchant-fixture.ts";
import { invite, person, type ShopWithPeople, shopWithPeople } from "./testing/shop-with-people.ts";

let fixture: MerchantFixture;
let shop: ShopWithPeople;

beforeAll(async () => {
  fixture = await merchantFixture({ replicas: 2 });
});
afterAll(() => fixture?.replicas.stop());

const PASSWORD = "five plain words in a row";
const newEmail = () => `${randomUUID()}@new.example`;
const account = { name: "Carl", new_password: PASSWORD, new_password_again: PASSWORD };
const members = async () =>
  (
    await fixture.replicas.sql`
      SELECT m.email, s.role FROM directory.memberships s JOIN directory.merchants m ON m.id = s.merchant_id
      WHERE s.shop_id = ${shop.shopId}`
  ).map(({ email, role }) => [email, role]);
const accountsOf = async (email: string) =>
  await fixture.replicas.sql`SELECT id FROM directory.merchants WHERE email = ${email}`;

describe("an invitation's link", () => {
  test("opened by the invited merchant, signed in, makes her a member when she accepts [invitation.accept]", async () => {
    shop = await shopWithPeople(fixture);
    const carl = await person(fixture);
    const link = await invite(shop, carl.email);
    const page = await carl.browser.open(link);
    expect(page.html).toContain("<bdi>Ada</bdi> invites you to <bdi>Fern &amp; Field</bdi>");
    expect(await members()).toHaveLength(2);
    const joined = await carl.browser.press(page, "Accept");
    const apps = await carl.browser.open(joined.location ?? "");
    expect(apps.html).toContain("You can now connect apps with <bdi>Fern &amp; Field</bdi>.");
    expect(await members()).toContainEqual([carl.email, "member"]);
    expect((await carl.browser.open(link)).status).toBe(410);
    expect((await carl.browser.press(page, "Accept")).status).toBe(410);
  });

  test("leads an invited merchant who has an account through sign-in, and back", async () => {
    shop = await shopWithPeople(fixture);
    const carl = await fixture.registerMerchant();
    const link = await invite(shop, carl.email, { role: "owner" });
    const browser = fixture.browser();
    const first = await browser.open(link);
    const form = await browser.open(/href="(\/oauth\/invitation\/sign-in[^"]*)"/.exec(first.html)?.[1] ?? "");
    const wrong = await fixture.signIn(browser, form, carl, "not this one");
    expect(wrong.status).toBe(422);
    const signedIn = await fixture.signIn(browser, wrong, carl);
    expect(signedIn.location).toBe(link);
    await browser.press(await browser.open(link), "Accept");
    expect(await members()).toContainEqual([carl.email, "owner"]);
  });

  test("gives who has no account one, signed in and with the shop [invitation.account]", async () => {
    shop = await shopWithPeople(fixture);
    const email = newEmail();
    const link = await invite(shop, email);
    const browser = fixture.browser();
    const joined = await browser.press(await browser.open(link), "Create account and accept", account);
    expect(joined.location).toBe(`/oauth/connections?joined=${shop.shopId}`);
    expect((await browser.open(joined.location ?? "")).html).toContain(`<bdi>Carl</bdi> (<bdi>${email}</bdi>)`);
    const elsewhere = fixture.browser();
    const signedIn = await fixture.signIn(
      elsewhere,
      await elsewhere.open("/oauth/sign-in"),
      { id: "", email },
      PASSWORD,
    );
    expect(signedIn.location).toBe("/oauth/connections");
    expect(await members()).toContainEqual([email, "member"]);
  });

  test("looks the same whether there is an account with the address or not", async () => {
    shop = await shopWithPeople(fixture);
    const seen = [];
    for (const email of [shop.stranger.email, newEmail()]) {
      const link = await invite(shop, email);
      const { status, html } = await fixture.browser().open(link);
      const token = /name="token" value="[^"]*"/g;
      seen.push([
        status,
        html
          .replaceAll(email, "")
          .replaceAll(/pci_[\w-]{43}/g, "")
          .replaceAll(token, ""),
      ]);
    }
    expect(seen[0]).toEqual(seen[1]);
  });

  test("makes no second account where there is one, and says to sign in; the link still works", async () => {
    shop = await shopWithPeople(fixture);
    const link = await invite(shop, shop.stranger.email);
    const browser = fixture.browser();
    const page = await browser.press(await browser.open(link), "Create account and accept", account);
    expect(page.status).toBe(422);
    expect(page.html).toContain("There is an account with this email already.");
    expect(await accountsOf(shop.stranger.email)).toHaveLength(1);
    expect((await shop.stranger.browser.press(await shop.stranger.browser.open(link), "Accept")).status).toBe(303);
  });

  test.each([
    [{ new_password_again: "another one, as long" }, "The two new passwords are not the same."],
    [{ new_password: "kurz und", new_password_again: "kurz und" }, "use at least 15 characters"],
    [
      { new_password: "fern & field fern & field", new_password_again: "fern & field fern & field" },
      "little more than a name",
    ],
    [{ name: "  " }, "Please enter a name that others can read"],
    [{ name: "\u202e\u202e" }, "Please enter a name that others can read"],
    [{ token: "of another page" }, "This page was out of date"],
  ])("with %j makes nothing, says why, and still works", async (fields, problem) => {
    shop = await shopWithPeople(fixture);
    const email = newEmail();
    const link = await invite(shop, email);
    const browser = fixture.browser();
    const page = await browser.press(await browser.open(link), "Create account and accept", { ...account, ...fields });
    expect(page.html).toContain(problem);
    expect(page.html).not.toContain("kurz und");
    expect(await accountsOf(email)).toHaveLength(0);
    const again = { ...account, name: "Carl" };
    expect((await browser.press(page, "Create account and accept", again)).status).toBe(303);
  });

  test("is of no use to anybody else, who is told whom it is for [invitation.for-one]", async () => {
    shop = await shopWithPeople(fixture);
    const carl = await person(fixture);
    const link = await invite(shop, carl.email);
    const { browser } = shop.stranger;
    const page = await browser.open(link);
    expect(page.html).toContain(`This invitation is for <strong><bdi>${carl.email}</bdi></strong>`);
    expect(page.html).not.toContain(">Accept<");
    // Carl's page in the stranger's browser, as after a change of account in another tab.
    const carls = await carl.browser.open(link);
    const token = page.forms.flatMap(({ inputs }) => inputs).find(({ name }) => name === "token")?.value ?? "";
    expect((await browser.press(carls, "Accept", { token })).status).toBe(409);
    expect((await browser.press({ ...carls, url: carls.url }, "Accept", { token: "x" })).status).toBe(403);
    const out = await browser.press(page, "Use another account");
    expect(out.location).toBe(link);
    expect((await browser.open(link)).html).toContain("Create account and accept");
    expect(await members()).toHaveLength(2);
  });

  test.each(["", "?link=", "?link=pci_unknown", `?link=pci_${"a".repeat(43)}`, "?link=a&link=b", "?link=%00"])(
    "that is %j says that the invitation has ended, and what to do",
    async (query) => {
      const browser = fixture.browser();
      for (const page of ["", "/sign-in"]) {
        const ended = await browser.open(`/oauth/invitation${page}${query}`);
        expect(ended.status).toBe(410);
        expect(ended.html).toContain("ask the owner of the shop for a new link");
      }
    },
  );

  test("that has expired or was replaced since the page was opened makes no account", async () => {
    shop = await shopWithPeople(fixture);
    const email = newEmail();
    const first = await invite(shop, email);
    const browser = fixture.browser();
    const page = await browser.open(first);
    const second = await invite(shop, email);
    expect((await browser.press(page, "Create account and accept", account)).status).toBe(410);
    const late = await browser.open(second);
    await fixture.replicas.sql`UPDATE directory.merchant_links SET expires_at = now() WHERE email = ${email}`;
    expect((await browser.press(late, "Create account and accept", account)).status).toBe(410);
    expect(await accountsOf(email)).toHaveLength(0);
  });

  test("pressed twice at the same moment, on two replicas, makes one account [invitation.account]", async () => {
    shop = await shopWithPeople(fixture);
    const email = newEmail();
    const link = await invite(shop, email);
    const browsers = [fixture.browser(), fixture.browser()];
    const pages = await Promise.all(browsers.map((browser) => browser.open(link)));
    const answers = await Promise.all(
      browsers.map(
        async (browser, n) => await browser.press(pages[n] ?? expect.fail(), "Create account and accept", account),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
    expect(await accountsOf(email)).toHaveLength(1);
  });

  test("is named in no referrer, on none of its pages", async () => {
    shop = await shopWithPeople(fixture);
    const link = await invite(shop, newEmail());
    const browser = fixture.browser();
    const policies = [link, "/oauth/invitation?link=pci_unknown"].map(
      async (path) => (await browser.open(path)).headers["referrer-policy"],
    );
    expect(await Promise.all(policies)).toEqual(["strict-origin", "strict-origin"]);
  });
});
