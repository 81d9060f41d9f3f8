import { describe, expect, test } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const PATH = "/oauth/connections";

const fixture = await suiteFixture();

async function connect(shopId: string, merchant: TestMerchant, number: number): Promise<void> {
  await fixture.replicas.sql`
    INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, approved_at, connected_at, exchanged_at, last_used_at)
    VALUES (${shopId}, ${fixture.client.clientId}, 'connected', 'g', '{responses:read}', ${merchant.id},
            now() - make_interval(hours => ${100 - number}), now(), now(), now())`;
}

/** A signed-in merchant with 300 shops. The first 24 have an app. */
async function manyShops(): Promise<{ browser: MerchantBrowser; merchant: TestMerchant }> {
  const merchant = await fixture.registerMerchant();
  for (let number = 1; number <= 300; number += 1) {
    const shopId = await fixture.registerShop(`Shop ${number}`, "standard", merchant);
    if (number <= 24) await connect(shopId, merchant, number);
  }
  const browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
  return { browser, merchant };
}

const cards = ({ html }: Page) => [...html.matchAll(/<h2><bdi>([^<]*)<\/bdi><\/h2>/g)].map(([, name]) => name);
const numbered = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `Shop ${from - index}`);

describe("connected apps of a merchant with 300 shops", () => {
  test("stand on pages of twenty shops, the newest approval first; shops without apps are folded, and found by a search", async () => {
    const { browser } = await manyShops();
    const first = await browser.open(PATH);
    expect(cards(first)).toEqual(numbered(24, 5));
    expect(first.html).toContain("<summary>276 shops without apps</summary>");
    expect(first.html).toContain("And 216 more: search for their names.");
    expect(first.html).toContain("Page 1 of 2");
    expect(first.html).toContain(`<a class="button" href="${PATH}?page=2" rel="next">Next</a>`);
    expect(first.html).not.toContain("Previous");
    const last = await browser.open(`${PATH}?page=2`);
    expect(cards(last)).toEqual(numbered(4, 1));
    expect(last.html).not.toContain(">Next<");
    expect((await browser.open(`${PATH}?page=1`, { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe(
      "gzip",
    );

    const found = await browser.open(`${PATH}?find=shop+24`);
    expect(cards(found)).toEqual(["Shop 24"]);
    expect(found.html).toContain("13 of 300 shops");
    expect(found.html).toContain('<details class="card without" open><summary>12 shops without apps</summary>');
    expect(cards(await browser.open(`${PATH}?find=LOOKOUT&page=2`))).toEqual(numbered(4, 1));
    const none = await browser.open(`${PATH}?find=%3Cnothing%3E`);
    expect([cards(none), none.html.includes("No shop was found.")]).toEqual([[], true]);
    expect(none.html).toContain('value="&lt;nothing&gt;"');
  });

  test.each(["0", "-1", "4", "999999", "9999999", "x", "1&page=2", "%00"])(
    "page %s is one that there is",
    async (page) => {
      const { browser } = await connectedMerchant(fixture);
      const answer = await browser.open(`${PATH}?page=${page}`);
      expect([answer.status, cards(answer)]).toEqual([200, ["Fern &amp; Field"]]);
    },
  );
});

describe("an app under Connected apps", () => {
  test("shows its logo, publisher, policy and whom to ask for deletion, as disconnecting it does", async () => {
    const { browser } = await connectedMerchant(fixture);
    const { clientId } = fixture.client;
    await fixture.replicas.sql`
      UPDATE directory.clients SET publisher = 'Lookout Ltd', privacy_policy = 'https://lookout.example/privacy', contact = 'privacy@lookout.example'
      WHERE client_id = ${clientId}`;
    await expect.poll(async () => (await browser.open(PATH)).html).toContain("By <bdi>Lookout Ltd</bdi>");
    const { html } = await browser.open(PATH);
    expect(html).toContain('<span class="app-icon"><bdi>L</bdi></span>');
    expect(html).toContain('href="https://lookout.example/privacy"');
    const confirm = await browser.press(await browser.open(PATH), "Disconnect");
    const whom = '<a href="mailto:privacy@lookout.example">privacy@lookout.example</a>';
    expect(confirm.html).toContain(`To have deleted what it has read, write to ${whom}.`);
  });
});
