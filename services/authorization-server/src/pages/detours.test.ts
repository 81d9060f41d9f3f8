import { createResetLink, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { beforeAll, describe, expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { offered, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const RETURN = "__Host-merchant_return";
const SESSION = "__Host-merchant_session";
const CHOSEN = { new_password: "quinces ripen in late october", new_password_again: "quinces ripen in late october" };

const fixture = await suiteFixture({ replicas: 2 });
let ada: TestMerchant;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "standard", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});

const linkTo = (page: Page, text: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${text}`).exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "nowhere";
/** The decoded bytes of a sealed text: its base64url letters may spell any word by chance. */
const bytesOf = (sealed: string | undefined) => Buffer.from(sealed ?? expect.fail(), "base64url").toString("latin1");
const email = (page: Page) => /id="email" name="email"[^>]* value="([^"]*)"/.exec(page.html)?.[1];

async function resetLink(merchant: TestMerchant): Promise<string> {
  const { token } = await createResetLink(fixture.replicas.sql, merchant.email, TEST_OPERATOR);
  return `${RESET_PASSWORD_PATH}?link=${token}`;
}

async function forgotten(browser: MerchantBrowser, signIn: Page): Promise<Page> {
  return await browser.open((await browser.press(signIn, "Forgot your password?")).location ?? "");
}

async function approve(browser: MerchantBrowser, path: string): Promise<URL> {
  const page = await browser.open(path);
  return new URL((await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") })).location ?? "none");
}

describe("a forgotten password leads back to the app's request", () => {
  test("through the link that the operator sends, with the email filled in and what was chosen", async () => {
    const eve = await fixture.registerMerchant();
    await fixture.registerShop("Fern & Field", "standard", eve);
    const browser = fixture.browser();
    const path = await fixture.begin(browser);
    const forgot = await forgotten(browser, await browser.open(path));
    expect(linkTo(forgot, "Back to sign-in")).toBe(path);
    const set = await browser.press(await browser.open(await resetLink(eve)), "Set password", CHOSEN);
    const signIn = await browser.open(set.location ?? "");
    expect(signIn.html).toContain("Your new password is set. Sign in with it.");
    expect(signIn.html).toContain("Sign in to connect <bdi>Lookout</bdi>");
    expect(email(signIn)).toBe(eve.email);
    const signedIn = await fixture.signIn(browser, signIn, eve, CHOSEN.new_password);
    expect(signedIn.location).toBe(path);
    expect((await approve(browser, path)).searchParams.get("code")).toMatch(/./);
    // What is decided waits no longer.
    expect(browser.cookies.has(RETURN)).toBe(false);
  });

  test("and to any other page that asked for a sign-in", async () => {
    const eve = await fixture.registerMerchant();
    const browser = fixture.browser();
    const asked = await browser.open("/oauth/password");
    const forgot = await forgotten(browser, await browser.open(asked.location ?? ""));
    expect(linkTo(forgot, "Back to sign-in")).toBe("/oauth/password");
    const set = await browser.press(await browser.open(await resetLink(eve)), "Set password", CHOSEN);
    const signIn = await browser.open(set.location ?? "");
    expect(signIn.html).toContain("Your new password is set.");
    expect((await fixture.signIn(browser, signIn, eve, CHOSEN.new_password)).location).toBe("/oauth/password");
  });
});

describe("what was chosen and typed stays", () => {
  test("the shop, through the end of the session, a wrong password and another language", async () => {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const shop = offered(page, "Blue Cup");
    browser.cookies.set(SESSION, "A".repeat(43));
    const sent = await browser.press(page, "Approve", { shop });
    const signIn = await browser.open(sent.location ?? "");
    expect(signIn.html).toContain("Your session has ended.");
    expect(email(signIn)).toBe(ada.email);
    const wrong = await fixture.signIn(browser, signIn, ada, "wrong");
    const german = await browser.press(wrong, "Deutsch");
    const again = await browser.open((await browser.open(german.location ?? "")).location ?? "");
    await browser.press(again, "English");
    const signedIn = await fixture.signIn(browser, await browser.open(again.url), ada);
    const consent = await browser.open(signedIn.location ?? "");
    const checked = consent.forms.flatMap(({ radios }) => radios).filter((radio) => radio.checked);
    expect(checked.map(({ value }) => value)).toEqual([shop]);
  });

  test("the email that is typed, on the sign-in in another language, and on the page of a forgotten password", async () => {
    const browser = fixture.browser();
    const typed = { email: "eve@shop.example", password: "typed" };
    for (const path of ["/oauth/sign-in", await fixture.begin(browser)]) {
      const german = await browser.press(await browser.open(path), "Deutsch", typed);
      expect(email(await browser.open(german.location ?? ""))).toBe("eve@shop.example");
      await browser.press(await browser.open(path), "English", { email: "" });
      const forgot = await browser.press(await browser.open(path), "Forgot your password?", {
        email: `${path.length}@shop.example`,
      });
      expect(forgot.location).toMatch(/^\/oauth\/password\/forgot/);
      expect(email(await browser.open(path))).toBe(`${path.length}@shop.example`);
    }
  });

  test("the email that was typed, but not after signing out", async () => {
    const browser = fixture.browser();
    const form = await browser.open("/oauth/sign-in");
    await browser.press(form, "Sign in", { email: "eve@shop.example", password: "wrong" });
    expect(email(await browser.open("/oauth/sign-in"))).toBe("eve@shop.example");
    expect(bytesOf(browser.cookies.get("__Host-merchant_email"))).not.toContain("eve@shop");
    await fixture.signIn(browser, form, ada);
    const out = await browser.press(await browser.open("/oauth/connections"), "Sign out");
    expect(email(await browser.open(out.location ?? ""))).toBe("");
    await browser.press(form, "Sign in", { email: `${"e".repeat(260)}@shop.example`, password: "wrong" });
    expect(email(await browser.open("/oauth/sign-in"))).toBe("");
  });
});
