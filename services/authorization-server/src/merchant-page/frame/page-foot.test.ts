import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "../../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture } from "../../testing/merchant-fixture.ts";

let plain: MerchantFixture;
let linked: MerchantFixture;

beforeAll(async () => {
  [plain, linked] = await Promise.all([
    merchantFixture(),
    merchantFixture({
      env: { HELP_URL: "https://help.example/apps?a=1&b=2", TERMS_URL: "https://connect.example/terms" },
    }),
  ]);
});
afterAll(() => Promise.all([plain?.replicas.stop(), linked?.replicas.stop()]));

async function pages(fixture: MerchantFixture): Promise<Page[]> {
  const browser = fixture.browser();
  const merchant = await fixture.registerMerchant();
  const { page } = await fixture.consent(browser, merchant);
  return [
    page,
    await browser.open("/oauth/connections"),
    await fixture.browser().open("/oauth/sign-in"),
    await browser.open("/oauth/nowhere"),
    await browser.open("/oauth/api/authorize?client_id=none"),
  ];
}

test("every page links to help, privacy policy and terms, as they are configured", async () => {
  for (const { html } of await pages(linked)) {
    expect(html).toContain('<a href="https://help.example/apps?a=1&amp;b=2">Help</a>');
    expect(html).toContain('<a href="https://connect.example/terms">Terms</a>');
    expect(html).not.toContain(">Privacy<");
  }
});

test("without configuration there is no link, and no empty list", async () => {
  for (const { html } of await pages(plain)) {
    expect(html).not.toMatch(/>Help<|>Privacy<|>Terms</);
    expect(html).not.toMatch(/<ul[^>]*>\s*<\/ul>/);
  }
});

test("every page offers the languages by their own names, and says which one it is in", async () => {
  for (const { html, forms } of await pages(plain)) {
    expect(forms.at(-1)?.buttons.map(({ text }) => text)).toEqual(["Deutsch", "Français", "Español"]);
    expect(html).toContain('<li aria-current="true">English</li>');
  }
});
