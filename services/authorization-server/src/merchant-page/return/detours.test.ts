import { randomUUID } from "node:crypto";
import { createResetLink, inviteMember, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { MerchantBrowser, Page } from "../../testing/merchant-browser.ts";
import {
  type MerchantFixture,
  merchantFixture,
  offered,
  PASSWORD,
  type TestMerchant,
} from "../../testing/merchant-fixture.ts";

const RETURN = "__Host-merchant_return";
const SESSION = "__Host-merchant_session";
const CHOSEN = { new_password: "quinces ripen in late october", new_password_again: "quinces ripen in late october" };

let fixture: MerchantFixture;
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  fixture = await merchantFixture({ replicas: 2 });
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "standard", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});
afterAll(() => fixture?.replicas.stop());

const linkTo = (page: Page, text: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${text}`).exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "nowhere";
/** Of a sealed text. Its letters may be any word by chance. */
const bytesOf = (sealed: string | undefined) => Buffer.from(sealed ?? expect.fail(), "base64url").toString("latin1");
const email = (page: Page) => /id="email" name="email"[^>]* value="([^"]*)"/.exec(page.html)?.[1];

async function resetLink(merchant: TestMerchant): Promise<string> {
  const { token } = await createResetLink(fixture.replicas.sql, merchant.email, TEST_OPERATOR);
  return `${RESET_PASSWORD_PATH}?link=${token}`;
}

async function invitation(address: string): Promise<string> {
  const asked = { shopId: fern, email: address, role: "member", byOwner: ada.id } as const;
  const { token } = await inviteMember(fixture.replicas.sql, asked, TEST_OPERATOR);
  return `/oauth/invitation?link=${token}`;
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
    const forgot = await browser.open(linkTo(await browser.open(path), "Forgot your password"));
    expect(linkTo(forgot, "Back to sign-in")).toBe(path);
    const set = await browser.press(await browser.open(await resetLink(eve)), "Set password", CHOSEN);
    const signIn = await browser.open(set.location ?? "");
    expect(signIn.html).toContain("Your new password is set. Sign in with it now.");
    expect(signIn.html).toContain("<bdi>Lookout</bdi> asks to be connected");
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
    const forgot = await browser.open(linkTo(await browser.open(asked.location ?? ""), "Forgot your password"));
    expect(linkTo(forgot, "Back to sign-in")).toBe("/oauth/password");
    const set = await browser.press(await browser.open(await resetLink(eve)), "Set password", CHOSEN);
    const signIn = await browser.open(set.location ?? "");
    expect(signIn.html).toContain("Your new password is set.");
    expect((await fixture.signIn(browser, signIn, eve, CHOSEN.new_password)).location).toBe("/oauth/password");
  });

  test("in another browser it leads to the connected apps", async () => {
    const eve = await fixture.registerMerchant();
    const browser = fixture.browser();
    await browser.open(await fixture.begin(browser));
    const other = fixture.browser();
    const stolen = browser.cookies.get(RETURN) ?? expect.fail();
    other.cookies.set(RETURN, stolen);
    const set = await other.press(await other.open(await resetLink(eve)), "Set password", CHOSEN);
    expect(set.location).toBe("/oauth/sign-in?password_changed=1");
  });
});

describe("an invitation leads back to the app's request", () => {
  test("of somebody who has no account yet", async () => {
    const address = `${randomUUID()}@new.example`;
    const browser = fixture.browser();
    const path = await fixture.begin(browser);
    await browser.open(path);
    const link = await invitation(address);
    const account = { name: "Carl", new_password: PASSWORD, new_password_again: PASSWORD };
    const made = await browser.press(await browser.open(link), "Create account", account);
    const signIn = await browser.open(made.location ?? "");
    expect(signIn.html).toContain("Sign in to accept the invitation to <bdi>Fern &amp; Field</bdi>.");
    expect(email(signIn)).toBe(address);
    const signedIn = await browser.press(signIn, "Sign in", { email: address, password: PASSWORD });
    const accepted = await browser.press(await browser.open(signedIn.location ?? ""), "Accept");
    const consent = await browser.open(accepted.location ?? "");
    expect(consent.html).toContain("You can now connect apps with <bdi>Fern &amp; Field</bdi>.");
    expect(consent.html).toContain("Connect <bdi>Lookout</bdi> with your shop?");
    expect((await approve(browser, path)).searchParams.get("code")).toMatch(/./);
  });

  test("of a merchant who was signed in and had no shop", async () => {
    const eve = await fixture.registerMerchant();
    const browser = fixture.browser();
    const { path, page } = await fixture.consent(browser, eve);
    expect(page.html).toContain("no shop");
    const accepted = await browser.press(await browser.open(await invitation(eve.email)), "Accept");
    expect(accepted.location).toBe(`${path}&joined=${fern}`);
    // A shop that is not hers is not said to be.
    const stranger = await browser.open(`${path}&joined=shop_other`);
    expect(stranger.html).not.toContain("You can now connect apps");
  });

  test("where no request waits, to the connected apps", async () => {
    const eve = await fixture.registerMerchant();
    const browser = fixture.browser();
    const { path, page } = await fixture.consent(browser, eve);
    await browser.press(page, "Back to Lookout");
    expect((await browser.open(path)).status).toBe(404);
    const accepted = await browser.press(await browser.open(await invitation(eve.email)), "Accept");
    expect(accepted.location).toBe(`/oauth/connections?joined=${fern}`);
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
    expect(signIn.html).toContain("You were signed out because your session ended.");
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

  test("an invitation's email and role, through the end of the session and another language", async () => {
    const browser = fixture.browser();
    const path = `/oauth/connections/${fern}/members`;
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada);
    const typed = { email: "carl@new.example", role: "owner" };
    const german = await browser.press(await browser.open(path), "Deutsch", typed);
    expect(german.location).not.toContain("carl@");
    expect(bytesOf(german.location?.split("typed=")[1])).not.toContain("carl@");
    const form = await browser.open(german.location ?? "");
    expect(form.html).toContain('<html lang="de"');
    browser.cookies.set(SESSION, "A".repeat(43));
    const sent = await browser.press(form, "Einladungslink erstellen");
    await browser.press(form, "English");
    const signedIn = await fixture.signIn(browser, await browser.open(sent.location ?? ""), ada);
    const inputs = (await browser.open(signedIn.location ?? "")).forms.flatMap((each) => each.inputs);
    expect(inputs.find(({ name }) => name === "email")?.value).toBe(typed.email);
    expect(inputs.find(({ name, checked }) => name === "role" && checked)?.value).toBe("owner");
    expect(await fixture.replicas.sql`SELECT FROM directory.merchant_links WHERE email = ${typed.email}`).toEqual([]);
  });

  test("an invitation's link is shown in each language, to its owner's browser alone, for an hour", async () => {
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada);
    const form = await browser.open(`/oauth/connections/${fern}/members`);
    const made = await browser.press(form, "Make an invitation link", { email: "dora@new.example" });
    const shown = await browser.open(made.location ?? "");
    const link = /<code>(.*pci_[\w-]{43})<\/code>/.exec(shown.html)?.[1] ?? expect.fail();
    expect(bytesOf(made.location?.split("made=")[1])).not.toContain("pci_");
    for (const language of ["Français", "Español", "Deutsch", "English"]) {
      const again = await browser.press(await browser.open(made.location ?? ""), language);
      expect((await browser.open(again.location ?? "")).html).toContain(link);
    }
    const other = fixture.browser();
    await fixture.signIn(other, await other.open("/oauth/sign-in"), ada);
    expect((await other.open(made.location ?? "")).location).toBe(`/oauth/connections/${fern}/members`);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
    expect((await browser.open(made.location ?? "")).location).toBe(`/oauth/connections/${fern}/members`);
    vi.useRealTimers();
  });
});

test("other pages say which request waits, until it is decided", async () => {
  const browser = fixture.browser();
  const { path } = await fixture.consent(browser, ada);
  for (const page of ["/oauth/connections", "/oauth/password"]) {
    const { html } = await browser.open(page);
    expect(html).toContain(`<bdi>Lookout</bdi> waits for your decision. <a href="${path}">Continue with it</a>`);
  }
  const german = { "accept-language": "de" };
  expect((await browser.open("/oauth/connections", german)).html).toContain("wartet auf Ihre Entscheidung");
  await approve(browser, path);
  expect((await browser.open("/oauth/connections")).html).not.toContain("waits for your decision");
});
