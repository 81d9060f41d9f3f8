import { expect, test } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import type { Page } from "../testing/merchant-browser.ts";
import {
  type MerchantFixture,
  offered,
  suiteFixture,
  type TestMerchant,
} from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture({
  env: { REFRESH_TOKEN_TTL_SECONDS: String(45 * 24 * 60 * 60) },
});
const { sql } = fixture.replicas;

/** A merchant with `count` shops: Store 1, Store 2, and so on. */
async function merchantOf(count: number) {
  const merchant = await fixture.registerMerchant();
  for (let number = 1; number <= count; number += 1)
    await fixture.registerShop(`Store ${number}`, "standard", merchant);
  return merchant;
}

async function pageOf(
  merchant: TestMerchant,
  asking: Parameters<MerchantFixture["consent"]>[2] = {},
) {
  return (await fixture.consent(fixture.browser(), merchant, asking)).page;
}

test("above the buttons, the consent page highlights personal data and shows how long the access lasts", async () => {
  const { html } = await pageOf(await merchantOf(1));
  expect(html).toMatch(
    /class="personal-data">.*email addresses, orders and visits.*ends when you disconnect in <a href="\/oauth\/connections">Connected apps<\/a>, or after 45 days without use\..*Approve/s,
  );
});

test("the consent page shows the app's logo and publisher, and links to the app's pages without a referrer", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  await sql`
    UPDATE directory.clients SET publisher = ${"Lookout <b>& Sons"}, website = 'https://lookout.example/en?a=1&b=2',
      privacy_policy = 'https://lookout.example/privacy', logo = 'not read here', logo_digest = 'abc'
    WHERE client_id = ${clientId}`;
  const { html } = await pageOf(await merchantOf(1), { clientId });
  expect(html).toContain(
    `<img class="app-icon" src="/oauth/logos/${clientId}/abc.webp" width="48" height="48" alt="">`,
  );
  expect(html).toContain("By <bdi>Lookout &lt;b&gt;&amp; Sons</bdi>");
  const attributes = 'target="_blank" rel="noopener noreferrer nofollow"';
  expect(html).toContain(
    `<a href="https://lookout.example/en?a=1&amp;b=2" ${attributes}>lookout.example</a>`,
  );
  expect(html).toContain(
    `<a href="https://lookout.example/privacy" ${attributes}>Privacy policy</a>`,
  );
});

test("each shop on the consent page shows its plan, the effect of approving, and the permissions that its plan lacks", async () => {
  const { browser, merchant, shopId } = await connectedMerchant(fixture);
  const effect = async () => {
    const { html } = await browser.open(await fixture.begin(browser));
    const rows = [...html.matchAll(/<div id="shop-\d+-more">(.*?)<\/div>/g)];
    const facts = html.matchAll(/class="(?:fact by-shop|lacking[^"]*|shop lacks)"/g);
    return [...rows.map(([, text = ""]) => text.replaceAll(/<[^>]*>/g, "")), ...facts].map(String);
  };
  const lacking = 'class="lacking"';
  const renews = "Standard plan ConnectedApproving renews access with the same permissions.";
  expect(await effect()).toEqual([renews, lacking]);
  await sql`UPDATE oauth.connections SET scope = '{responses:read,sources:write}' WHERE shop_id = ${shopId}`;
  const drops = "Standard plan Connected Removed permission: Add attribution sources.";
  expect(await effect()).toEqual([drops, lacking]);
  await sql`UPDATE directory.shops SET plan = 'advanced_attribution' WHERE id = ${shopId}`;
  await sql`UPDATE oauth.connections SET scope = '{responses:read}' WHERE shop_id = ${shopId}`;
  await fixture.registerShop("New", "standard", merchant);
  expect(await effect()).toEqual([
    "Advanced attribution plan Connected New permission: Add attribution sources.",
    "Standard plan ",
    'class="shop lacks"',
    'class="fact by-shop"',
    'class="lacking by-shop"',
  ]);
});

const labels = (of: Page) => of.forms[0]?.radios.map(({ label }) => label) ?? [];

test("the consent page lists at most fifty shops at a time, plus the chosen shop", async () => {
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, await merchantOf(120));
  expect([labels(page).length, labels(page).at(-1)]).toEqual([50, "Store 50"]);
  const shown = await browser.arrive(
    await browser.press(page, "Next", { shop: offered(page, "Store 2") }),
  );
  expect(shown.html.length).toBeLessThan(60_000);
  const all = labels(shown);
  expect([all[0], all[1], all.at(-1)]).toEqual(["Store 2", "Store 51", "Store 100"]);
  expect(shown.html).toContain("Page 2 of 3");
});

test("a shop that the consent page's search has found can be approved", async () => {
  const merchant = await merchantOf(11);
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, merchant);
  const found = await browser.arrive(await browser.press(page, "Search", { find: "STORE 1" }));
  expect(labels(found)).toEqual(["Store 1", "Store 10", "Store 11"]);
  expect(found.html).toContain("3 of 11 shops");
  const answer = await browser.press(found, "Approve", { shop: offered(found, "Store 10") });
  const target = await browser.follow(answer);
  expect(target.searchParams.get("code")).toBeTruthy();
});

test("after a search that matches no shop, the consent page shows the text escaped and offers all shops", async () => {
  const browser = fixture.browser();
  const { page, path } = await fixture.consent(browser, await merchantOf(6));
  const found = await browser.arrive(await browser.press(page, "Search", { find: '"><script>' }));
  expect(found.html).toContain('value="&quot;&gt;&lt;script&gt;"');
  expect(found.html).toContain("0 of 6 shops");
  const decisions = found.forms[0]?.buttons.filter(({ name }) => name === "decision");
  expect(decisions?.map(({ text }) => text)).toEqual(["Decline"]);
  const all = await browser.arrive(await browser.press(found, "Show all"));
  expect(all.forms[0]?.radios).toHaveLength(6);
  expect((await browser.open(`${path}&find=Store&find=1`)).forms[0]?.radios).toHaveLength(6);
  expect((await fixture.browser().open(`${path}&find=Store`)).status).toBe(404);
});

test("a search on the consent page makes no decision, even if the text is long or imitates parameters", async () => {
  const browser = fixture.browser();
  const { page, path } = await fixture.consent(browser, await merchantOf(6));
  for (const [typed, find] of [
    ["Store 1&shop=x#y", "Store+1%26shop%3Dx%23y"],
    ["x".repeat(300), "x".repeat(200)],
    [`${"x".repeat(199)}😀`, `${"x".repeat(199)}%EF%BF%BD`],
  ] as const) {
    const answer = await browser.press(page, "Search", { find: typed });
    expect([answer.status, answer.location]).toEqual([303, `${path}&find=${find}&shop=#found`]);
  }
  expect((await browser.open(path)).html).toContain(">Approve</button>");
  const again = await browser.open(`${path.replace("?", "/look?")}.%0d%0a`);
  expect([again.status, again.location]).toEqual([303, path]);
});

test("a search on the consent page keeps a chosen shop that doesn't match, unless the shop is another merchant's", async () => {
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, await merchantOf(6));
  const other = await fixture.registerMerchant();
  const stranger = await fixture.registerShop("Not hers", "standard", other);
  const chosenAfter = async (shop: string) => {
    const found = await browser.arrive(
      await browser.press(page, "Search", { find: "store 4", shop }),
    );
    expect(found.html).toContain("1 of 6 shops");
    return found.forms[0]?.radios.map(({ label, checked }) =>
      checked ? `${label}, chosen` : label,
    );
  };
  expect(await chosenAfter(offered(page, "Store 2"))).toEqual(["Store 2, chosen", "Store 4"]);
  expect(await chosenAfter(stranger)).toEqual(["Store 4"]);
  expect(await chosenAfter("")).toEqual(["Store 4"]);
});

test("the consent page keeps the chosen shop when the language changes", async () => {
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, await merchantOf(2));
  const german = await browser.arrive(
    await browser.press(page, "Deutsch", { shop: offered(page, "Store 2") }),
  );
  expect(german.headers["content-language"]).toBe("de");
  expect(german.forms[0]?.radios.find(({ checked }) => checked)?.label).toBe("Store 2");
});
