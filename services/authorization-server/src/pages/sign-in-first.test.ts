import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { PASSWORD, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const BROWSER = "__Host-merchant_browser";
const SESSION = "__Host-merchant_session";
const PAGE = "/oauth/password?changed=1";

const fixture = await suiteFixture();
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "standard", ada);
});
afterEach(() => void vi.useRealTimers());

async function signIn(at: string | null, browser = fixture.browser()) {
  return await browser.press(await browser.open(at ?? ""), "Sign in", { email: ada.email, password: PASSWORD });
}

describe("a sign-in leads back to the page that asked for it", () => {
  test.each([
    ["the password", () => "/oauth/password"],
    ["the passkeys", () => "/oauth/account/passkeys?done=removed"],
    ["a connection's end", () => `/oauth/connections/${fern}/conn/disconnect`],
  ])("%s", async (_, path) => {
    const browser = fixture.browser();
    const asked = await browser.open(path());
    expect(asked.location).toMatch(/^\/oauth\/sign-in\?return=[\w-]+$/);
    // Its URL names no page, and a wrong password or another language loses nothing.
    expect(Buffer.from(asked.location?.split("=")[1] ?? "", "base64url").toString("latin1")).not.toContain("oauth");
    const form = await browser.open(asked.location ?? "");
    const wrong = await browser.press(form, "Sign in", { email: ada.email, password: "wrong" });
    await browser.press(wrong, "Deutsch");
    const again = await browser.press(await browser.open(asked.location ?? ""), "English");
    expect(again.location).toBe(asked.location);
    expect((await signIn(again.location, browser)).location).toBe(path());
    // A reload of the sign-in.
    expect((await browser.open(asked.location ?? "")).location).toBe(path());
  });

  test("for password managers, and without one to the connected apps", async () => {
    const browser = fixture.browser();
    const asked = await browser.open((await browser.open("/.well-known/change-password")).location ?? "");
    expect((await signIn(asked.location, browser)).location).toBe("/oauth/password");
    expect((await signIn("/oauth/sign-in")).location).toBe("/oauth/connections");
    expect((await fixture.browser().open("/oauth/connections")).location).toBe("/oauth/sign-in");
  });

  test("a form that is sent after the session has ended leads to its page, and the sign-in says why", async () => {
    const browser = fixture.browser();
    await signIn("/oauth/sign-in", browser);
    const page = await browser.open("/oauth/password");
    browser.cookies.set(SESSION, "A".repeat(43));
    const sent = await browser.press(page, "Change password", { password: PASSWORD });
    expect((await browser.open(sent.location ?? "")).html).toContain("Your session has ended.");
    expect((await signIn(sent.location, browser)).location).toBe("/oauth/password");
  });
});

describe("a return path is valid for one browser and one hour, and leads only to our pages", () => {
  test("in another browser, changed or invented, it leads to the connected apps", async () => {
    const { location } = await fixture.browser().open(PAGE);
    const forged = [location, `${location}A`, "/oauth/sign-in?return=https://evil.example", "/oauth/sign-in?return="];
    for (const path of forged) expect((await signIn(path)).location).toBe("/oauth/connections");
    const twice = `${location}&${location?.split("?")[1]}`;
    expect((await signIn(twice)).location).toBe("/oauth/connections");
  });

  test.each([
    [59, PAGE],
    [61, "/oauth/connections"],
    [-1, PAGE],
    [-2, "/oauth/connections"],
  ])("after %i minutes it leads to %s", async (minutes, destination) => {
    const browser = fixture.browser();
    const { location } = await browser.open(PAGE);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
    expect((await signIn(location, browser)).location).toBe(destination);
  });

  test("of a browser that has lost its cookie too", async () => {
    const browser = fixture.browser();
    const { location } = await browser.open(PAGE);
    browser.cookies.delete(BROWSER);
    expect((await signIn(location, browser)).location).toBe("/oauth/connections");
  });
});
