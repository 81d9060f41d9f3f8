import { expect, test, vi } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { offered, PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const SESSION = "__Host-merchant_session";
const PAGE = "/oauth/password?changed=1";
const NEW = "quinces ripen in late october";

const fixture = await suiteFixture({ replicas: 2 });
const ada = await fixture.registerMerchant();
const fern = await fixture.registerShop("Fern & Field", "standard", ada);
await fixture.registerShop("Blue Cup", "standard", ada);

/** Opens the sign-in at this address, and signs in. */
async function signIn(
  at: string | null,
  browser = fixture.browser(),
  merchant = ada,
  password = PASSWORD,
) {
  return await fixture.signIn(browser, await browser.open(at ?? ""), merchant, password);
}
/** The bytes of a sealed text, because its base64url letters may spell any word by chance. */
const bytesOf = (sealed: string | undefined) =>
  Buffer.from(sealed ?? expect.fail(), "base64url").toString("latin1");
const email = (page: Page) => /id="email" name="email"[^>]* value="([^"]*)"/.exec(page.html)?.[1];

test.each([
  ["the password page", "/oauth/password"],
  ["the passkeys page", "/oauth/account/passkeys?done=removed"],
  ["a partner's page of errors", "/partner/client_1/errors?request_id=x"],
  ["a connection's disconnect page", `/oauth/connections/${fern}/conn/disconnect`],
])("after the sign-in, the browser returns to %s", async (_, path) => {
  const browser = fixture.browser();
  const asked = await browser.open(path);
  expect(asked.location).toMatch(/^\/oauth\/sign-in\?return=[\w-]+$/);
  // The sign-in's URL names no page, and a wrong password or another language loses nothing.
  expect(bytesOf(asked.location?.split("=")[1])).not.toContain("oauth");
  const wrong = await signIn(asked.location, browser, ada, "wrong");
  await browser.press(wrong, "Deutsch");
  const again = await browser.press(await browser.open(asked.location ?? ""), "English");
  expect(again.location).toBe(asked.location);
  expect((await signIn(again.location, browser)).location).toBe(path);
  // A reload of the sign-in.
  expect((await browser.open(asked.location ?? "")).location).toBe(path);
});

test("a form sent after the session ended leads to a sign-in that states this and returns to the form", async () => {
  const browser = fixture.browser();
  await signIn("/oauth/sign-in", browser);
  const page = await browser.open("/oauth/password");
  browser.cookies.set(SESSION, "A".repeat(43));
  const sent = await browser.press(page, "Change password", { password: PASSWORD });
  expect((await browser.open(sent.location ?? "")).html).toContain("Your session has ended.");
  expect((await signIn(sent.location, browser)).location).toBe("/oauth/password");
});

test("a return path that is changed, forged, repeated or from another browser leads to the connected apps", async () => {
  const { location } = await fixture.browser().open(PAGE);
  const twice = `${location}&${location?.split("?")[1]}`;
  const forged = [location, `${location}A`, twice, "/oauth/sign-in?return=https://evil.example"];
  for (const path of forged) expect((await signIn(path)).location).toBe("/oauth/connections");
  const browser = fixture.browser();
  const own = await browser.open(PAGE);
  browser.cookies.delete("__Host-merchant_browser");
  expect((await signIn(own.location, browser)).location).toBe("/oauth/connections");
});

test.each([
  [59, PAGE],
  [61, "/oauth/connections"],
  [-1, PAGE],
  [-2, "/oauth/connections"],
])("a return path that is %i minutes old leads to %s", async (minutes, destination) => {
  const browser = fixture.browser();
  const { location } = await browser.open(PAGE);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
  expect((await signIn(location, browser)).location).toBe(destination);
});

/** Goes from a sign-in, through the operator's link, to the sign-in with the new password. */
async function reset(
  browser: MerchantBrowser,
  signInPath: string,
  merchant: TestMerchant,
  from: string,
) {
  const { location } = await browser.press(await browser.open(signInPath), "Forgot your password?");
  const forgot = await browser.open(location ?? "");
  expect(forgot.html.replaceAll("&amp;", "&")).toContain(`href="${from}">Back to sign-in`);
  const link = await browser.open(await fixture.resetLink(merchant));
  const set = await browser.press(link, "Set password", {
    new_password: NEW,
    new_password_again: NEW,
  });
  const page = await browser.open(set.location ?? "");
  expect(page.html).toContain("Your new password is set. Sign in with it.");
  return page;
}

test("a password reset during an authorization request leads back to the request, with the email filled in", async () => {
  const eve = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "standard", eve);
  const browser = fixture.browser();
  const path = await fixture.begin(browser);
  const form = await reset(browser, path, eve, path);
  expect(form.html).toContain("Sign in to connect <bdi>Lookout</bdi>");
  expect(email(form)).toBe(eve.email);
  expect((await fixture.signIn(browser, form, eve, NEW)).location).toBe(path);
  const page = await browser.open(path);
  const { location } = await browser.press(page, "Approve", {
    shop: offered(page, "Fern & Field"),
  });
  expect(new URL(location ?? "").searchParams.get("code")).toMatch(/./);
  // A decided request is no page to return to.
  expect(browser.cookies.has("__Host-merchant_return")).toBe(false);
});

test("a password reset leads back to the page that required the sign-in", async () => {
  const eve = await fixture.registerMerchant();
  const browser = fixture.browser();
  const asked = await browser.open("/oauth/password");
  const form = await reset(browser, asked.location ?? "", eve, "/oauth/password");
  expect((await fixture.signIn(browser, form, eve, NEW)).location).toBe("/oauth/password");
});

test("the sign-in pages keep the chosen shop when the session ends, the password is wrong or the language changes", async () => {
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, ada);
  const shop = offered(page, "Blue Cup");
  browser.cookies.set(SESSION, "A".repeat(43));
  const sent = await browser.press(page, "Approve", { shop });
  const form = await browser.open(sent.location ?? "");
  expect(form.html).toContain("Your session has ended.");
  expect(email(form)).toBe(ada.email);
  const wrong = await fixture.signIn(browser, form, ada, "wrong");
  const german = await browser.press(wrong, "Deutsch");
  const again = await browser.open((await browser.open(german.location ?? "")).location ?? "");
  await browser.press(again, "English");
  const consent = await browser.open((await signIn(again.url, browser)).location ?? "");
  const checked = consent.forms.flatMap(({ radios }) => radios).filter((radio) => radio.checked);
  expect(checked.map(({ value }) => value)).toEqual([shop]);
});

test("the typed email remains in the sign-in form after a language change or a visit to the forgotten-password page", async () => {
  const browser = fixture.browser();
  const typed = { email: "eve@shop.example", password: "typed" };
  for (const path of ["/oauth/sign-in", await fixture.begin(browser)]) {
    const german = await browser.press(await browser.open(path), "Deutsch", typed);
    expect(email(await browser.open(german.location ?? ""))).toBe("eve@shop.example");
    await browser.press(await browser.open(path), "English", { email: "" });
    const other = { email: `${path.length}@shop.example` };
    const forgot = await browser.press(await browser.open(path), "Forgot your password?", other);
    expect(forgot.location).toMatch(/^\/oauth\/password\/forgot/);
    expect(email(await browser.open(path))).toBe(other.email);
  }
});

test("the typed email is stored in a sealed cookie until sign-out, unless the email is too long for an address", async () => {
  const browser = fixture.browser();
  const form = await browser.open("/oauth/sign-in");
  await browser.press(form, "Sign in", { email: "eve@shop.example", password: "wrong" });
  expect(email(await browser.open("/oauth/sign-in"))).toBe("eve@shop.example");
  expect(bytesOf(browser.cookies.get("__Host-merchant_email"))).not.toContain("eve@shop");
  await fixture.signIn(browser, form, ada);
  const out = await browser.press(await browser.open("/oauth/connections"), "Sign out");
  expect(email(await browser.open(out.location ?? ""))).toBe("");
  await browser.press(form, "Sign in", {
    email: `${"e".repeat(260)}@shop.example`,
    password: "wrong",
  });
  expect(email(await browser.open("/oauth/sign-in"))).toBe("");
});
