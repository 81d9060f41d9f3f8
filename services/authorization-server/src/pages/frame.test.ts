import { expect, test } from "vitest";
import { LANGUAGES } from "../browser/locale.ts";
import type { Page } from "../testing/merchant-browser.ts";
import { type MerchantFixture, suiteFixture, testFixture } from "../testing/merchant-fixture.ts";

const plain = await suiteFixture();
const HELP_URL = "https://help.example/apps?a=1&b=2";
const TERMS_URL = "https://connect.example/terms";
const linked = await suiteFixture({ env: { HELP_URL, TERMS_URL } });

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

test("the footer of every page has the configured links", async () => {
  for (const { html } of await pages(linked)) {
    expect(html).toContain('<a href="https://help.example/apps?a=1&amp;b=2">Help</a>');
    expect(html).toContain('<a href="https://connect.example/terms">Terms</a>');
    expect(html).not.toContain(">Privacy<");
  }
  const { status, location } = await linked.browser().open("/help");
  expect([status, location]).toEqual([302, HELP_URL]);
});

test("the help links the contact and the pages that its answers name", async () => {
  const { browser } = await testFixture({ env: { SUPPORT_URL: "https://support.example/" } });
  const { html } = await browser().open("/help");
  const contact = '<a href="https://support.example/">';
  expect(html).toContain(`To learn why, ${contact}contact us</a>.</p>`);
  expect(html).toContain('choose <a href="/oauth/password/forgot">Forgot your password?</a> If');
  expect(html).toMatch(/Never send your password or a link\.<\/p>.*>Contact us<\/a>/s);
});

test("without configured links, the footer of every page links only to our help page, in the merchant's language", async () => {
  for (const { html } of await pages(plain)) {
    expect(html).toContain('<a href="/help">Help</a>');
    expect(html).not.toMatch(/>Privacy<|>Terms<|>Contact us<|Never send/);
  }
  for (const { connectedApps, language, frame, help } of LANGUAGES) {
    const page = await plain.browser().open("/help", { "accept-language": language });
    expect([page.status, page.headers["content-language"]]).toEqual([200, language]);
    expect(page.html).toContain(`<a href="/oauth/connections">${connectedApps.title}</a>`);
    expect(page.html).toContain('</summary><div id="lost-passkey"><p>');
    const paragraphs = Object.values(help.answers).join("\n").split("\n");
    for (const text of [`<title>${frame.help} ·`, ...paragraphs])
      expect(page.html.replaceAll(/<\/?a[^>]*>/g, "")).toContain(text);
  }
});

test("during an authorization, the product's name is not a link, and the account menu offers only another account", async () => {
  const browser = plain.browser();
  const merchant = await plain.registerMerchant();
  await plain.registerShop("Fern & Field", "standard", merchant);
  const { page, path } = await plain.consent(browser, merchant);
  const apps = await browser.open("/oauth/connections");
  const menus = [page, apps].map(({ html }) => {
    const [top = ""] = html.split("<main");
    expect(top).not.toContain("<form");
    const menu = /<details>(.*)<\/details>/s.exec(top)?.[1] ?? "";
    expect(menu).toContain(`<bdi>${merchant.email}</bdi>`);
    return [...menu.matchAll(/<li><(?:a|button)[^>]*>([^<]*)/g)].map(([, text]) => text);
  });
  expect(menus).toEqual([
    ["Use another account"],
    ["Connected apps", "Change password", "Passkeys", "Sign out", "Sign out everywhere"],
  ]);
  expect(page.forms[0]?.radios).toHaveLength(1);
  const brand = '<p class="product"><a';
  expect(page.html).toContain(`${brand}>`);
  expect(apps.html).toContain(`${brand} href="/oauth/connections">`);
  expect((await browser.open("/partner")).html).toContain(`${brand} href="/partner">`);
  expect((await browser.press(page, "Use another account")).location).toBe(path);
  expect((await browser.open(path)).html).not.toContain(merchant.email);
  expect(apps.html).toContain('<a href="/oauth/connections" aria-current="page">');
});

test("pages have headers against caching, framing, foreign scripts and, except on the consent page, foreign form targets", async () => {
  for (const [index, { headers }] of (await pages(plain)).entries()) {
    const script = index === 2 ? " script-src 'self';" : "";
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy": `default-src 'none';${script} style-src 'self'; img-src 'self';${index === 0 ? "" : " form-action 'self';"} frame-ancestors 'none'; base-uri 'none'`,
    });
  }
});
