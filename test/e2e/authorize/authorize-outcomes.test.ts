import { beforeAll, describe, expect, test } from "vitest";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  onboarded = await onboard(stack);
  app = partner(stack, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});

function query(location: string): Record<string, string> {
  return Object.fromEntries(new URL(location).searchParams);
}

describe("a merchant's decision", () => {
  test("approval is a 302 to redirect_uri with code, state and iss, and nothing else", async () => {
    const { url, state } = app.attempt();
    const page = await browser.press(await browser.openConsent(url), "Approve", { [onboarded.shop.name]: true });
    expect(page.redirects.at(-1)).toBe(302);
    expect(page.url.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(query(page.url)).toEqual({ code: expect.stringMatching(/^[\w-]{43,}$/), state, iss: stack.base_url });
  });

  test("declining is a 302 to redirect_uri with access_denied, state and iss, and no code", async () => {
    const { url, state } = app.attempt();
    const page = await browser.press(await browser.openConsent(url), "Decline");
    expect(page.redirects.at(-1)).toBe(302);
    expect(page.url.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    const { error_description: _, ...answer } = query(page.url);
    expect(answer).toEqual({ error: "access_denied", state, iss: stack.base_url });
  });

  test("it can be declined without signing in", async () => {
    const { url, state } = app.attempt();
    const stranger = merchantBrowser(onboarded.merchant);
    const signIn = await stranger.open(url);
    const decline = await stranger.open(signIn.url.replace("?", "/decline?"));
    const { url: arrived } = await stranger.press(decline, "Decline");
    expect(query(arrived)).toMatchObject({ error: "access_denied", state });
  });

  test("consent is asked every time, also of a merchant who is signed in and has approved the same before", async () => {
    await app.connect(browser, onboarded.shop);
    const page = await browser.open(app.attempt().url);
    expect(page.answer?.status).toBe(200);
    expect(page.forms.flatMap(({ buttons }) => buttons).map(({ text }) => text)).toContain("Approve");
  });

  test("the first decision counts: the same one again leads to the same code, another one has ended", async () => {
    const page = await browser.openConsent(app.attempt().url);
    const approve = (shop: { name: string }) => browser.press(page, "Approve", { [shop.name]: true });
    const first = await approve(onboarded.shop);
    expect(query(first.url)).toHaveProperty("code");
    expect((await approve(onboarded.shop)).url).toBe(first.url);
    const others = [
      await approve(onboarded.advancedShop),
      await browser.press(page, "Decline"),
      await browser.open(page.url),
    ];
    for (const { answer, redirects, text } of others) {
      expect([answer?.status, redirects]).toEqual([404, []]);
      expect(text).toContain("This request has ended");
    }
  });

  test.each([
    ["spaces, separators and other alphabets", 'a b+c&d=e%20%2B#/?"<ü€😀'],
    ["the longest there may be", "€".repeat(682)],
  ])("state comes back as it was given: %s", async (_, state) => {
    const { url } = app.attempt({ overrides: { state } });
    expect(query(await browser.decline(url))["state"]).toBe(state);
    const invalid = app.attempt({ overrides: { state, scope: "nothing" } });
    expect(query((await browser.open(invalid.url)).url)["state"]).toBe(state);
  });
});
