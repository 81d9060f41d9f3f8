import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture } from "../../testing/merchant-fixture.ts";
import { invite, person, type ShopWithPeople, shopWithPeople } from "../testing/shop-with-people.ts";

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
  test("opened by the invited merchant, signed in, makes her a member when she accepts", async () => {
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

  test("gives who has no account one, to sign in and accept with", async () => {
    shop = await shopWithPeople(fixture);
    const email = newEmail();
    const link = await invite(shop, email);
    const browser = fixture.browser();
    const made = await browser.press(await browser.open(link), "Create account", account);
    const form = await browser.open(made.location ?? "");
    expect(form.html).toContain("Sign in to accept the invitation.");
    expect(await members()).toHaveLength(2);
    const signedIn = await fixture.signIn(browser, form, { id: "", email }, PASSWORD);
    expect(signedIn.location).toBe(link);
    const joined = await browser.press(await browser.open(link), "Accept");
    expect(joined.location).toBe(`/oauth/connections?joined=${shop.shopId}`);
    expect((await browser.open(joined.location ?? "")).html).toContain(
      `<bdi>Carl</bdi> <span class="whole">(<bdi>${email}</bdi>)`,
    );
    expect(await members()).toContainEqual([email, "member"]);
  });

  test("looks the same whether there is an account with the address or not, and so does what its form is answered with", async () => {
    shop = await shopWithPeople(fixture);
    const seen = [];
    for (const email of [shop.stranger.email, newEmail()]) {
      const link = await invite(shop, email);
      const browser = fixture.browser();
      const page = await browser.open(link);
      const refused = await browser.press(page, "Create account", { ...account, new_password_again: "another" });
      const made = await browser.press(page, "Create account", account);
      const form = await browser.open(made.location ?? "");
      const wrong = await fixture.signIn(browser, form, { id: "", email }, "not this password");
      const again = await browser.press(page, "Create account", account);
      const after = await browser.open(link);
      seen.push(
        [page, refused, made, form, wrong, again, after].map(({ status, location, html, headers }) =>
          JSON.stringify([status, location, html, Object.keys(headers)])
            .replaceAll(email, "")
            .replaceAll(/pci_[\w-]{43}/g, "")
            .replaceAll(/return=[\w-]+/g, "")
            .replaceAll(/name=\\"token\\" value=\\"[^"]*\\"/g, ""),
        ),
      );
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.[2]).toContain("account=1");
  });

  test("makes no second account where there is one, and leaves its password; the link still works", async () => {
    shop = await shopWithPeople(fixture);
    const link = await invite(shop, shop.stranger.email);
    const browser = fixture.browser();
    const made = await browser.press(await browser.open(link), "Create account", account);
    const form = await browser.open(made.location ?? "");
    expect(form.html).toContain("its password is still the one that counts");
    expect((await fixture.signIn(browser, form, shop.stranger, PASSWORD)).status).toBe(422);
    expect((await fixture.signIn(browser, form, shop.stranger)).location).toBe(link);
    expect(await accountsOf(shop.stranger.email)).toHaveLength(1);
    expect((await browser.press(await browser.open(link), "Accept")).status).toBe(303);
  });

  test("keeps the name that was typed, in each language", async () => {
    shop = await shopWithPeople(fixture);
    const link = await invite(shop, newEmail());
    const browser = fixture.browser();
    const german = await browser.press(await browser.open(link), "Deutsch", account);
    const typed = new URLSearchParams(german.location?.split("?")[1]);
    expect([...typed.keys()]).toEqual(["link", "typed"]);
    expect(Buffer.from(typed.get("typed") ?? "", "base64url").toString("latin1")).not.toMatch(/Carl|five|words/);
    const page = await browser.open(german.location ?? "");
    expect(page.html).toContain('<html lang="de"');
    const inputs = page.forms.flatMap((form) => form.inputs);
    expect(inputs.find(({ name }) => name === "name")?.value).toBe("Carl");
    expect(page.html).not.toContain(PASSWORD);
    // A name of another browser is not shown, and a refusal keeps the new one.
    expect((await fixture.browser().open(german.location ?? "")).html).not.toContain("Carl");
    const refused = await browser.press(page, "Konto anlegen", { name: "Dora", new_password: "kurz" });
    const french = await browser.open((await browser.press(refused, "Français")).location ?? "");
    expect(french.forms.flatMap((form) => form.inputs).find(({ name }) => name === "name")?.value).toBe("Dora");
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
    const page = await browser.press(await browser.open(link), "Create account", { ...account, ...fields });
    expect(page.html).toContain(problem);
    expect(page.html).not.toContain("kurz und");
    expect(await accountsOf(email)).toHaveLength(0);
    const again = { ...account, name: "Carl" };
    expect((await browser.press(page, "Create account", again)).status).toBe(303);
  });

  test("is of no use to anybody else, who is told whom it is for", async () => {
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
    expect((await browser.open(link)).html).toContain("Create account");
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
    expect((await browser.press(page, "Create account", account)).status).toBe(410);
    const late = await browser.open(second);
    await fixture.replicas
      .sql`UPDATE directory.merchant_links SET expires_at = now() - interval '1 second' WHERE email = ${email}`;
    expect((await browser.press(late, "Create account", account)).status).toBe(410);
    expect(await accountsOf(email)).toHaveLength(0);
  });

  test("pressed twice at the same moment, on two replicas, makes one account", async () => {
    shop = await shopWithPeople(fixture);
    const email = newEmail();
    const link = await invite(shop, email);
    const browsers = [fixture.browser(), fixture.browser()];
    const pages = await Promise.all(browsers.map((browser) => browser.open(link)));
    const answers = await Promise.all(
      browsers.map(async (browser, n) => await browser.press(pages[n] ?? expect.fail(), "Create account", account)),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
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
