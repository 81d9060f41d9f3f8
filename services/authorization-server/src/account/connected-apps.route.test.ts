import { describe, expect, test } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { whileShopIsAway } from "../testing/shop-away.ts";

const fixture = await suiteFixture({ env: { LOG_LEVEL: "error", AUTHORIZATION_CODE_TTL_SECONDS: "600" } });

describe("connected apps", () => {
  test("are a row for each shop and app, by the names of the shops, and lead to their own pages", async () => {
    const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
    const { clientId } = await fixture.replicas.registerClient();
    const other = await fixture.registerShop("Bakery 2", "standard", merchant);
    await fixture.replicas.sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at, approved_at)
      SELECT shop, ${clientId}, 'connected', 'g', '{responses:read}', ${merchant.id}, now(), now()
      FROM unnest(${[shopId, other]}::text[]) AS shop`;
    await fixture.replicas.sql`UPDATE directory.clients SET name = 'Harbor' WHERE client_id = ${clientId}`;
    const { html } = await browser.open("/oauth/connections");
    const rows = [
      ...html.matchAll(/<h2><bdi>(.*?)<\/bdi><\/h2><p><bdi>(.*?)<\/bdi><\/p>.*?<p class="state">(.*?)<\/p>/gs),
    ];
    expect(rows.map(([, app, shop, state = ""]) => [app, shop, state.replaceAll(/<[^>]*>/g, "")])).toEqual([
      ["Harbor", "Bakery 2", "Not finished Not used yet"],
      ["Harbor", "Fern &amp; Field", "Not finished Not used yet"],
      ["Lookout", "Fern &amp; Field", "Connected Used this hour"],
    ]);
    expect(html).toContain(`<a href="/oauth/connections/${shopId}/${connectionId}"`);
  });

  test("of many shops stand on pages of fifty, can be searched, and say how many shops an app has", async () => {
    const { browser, merchant } = await connectedMerchant(fixture);
    for (let number = 1; number <= 60; number += 1) await fixture.registerShop(`Shop ${number}`, "standard", merchant);
    await fixture.replicas.sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, approved_at, connected_at)
      SELECT shop_id, ${fixture.client.clientId}, 'connected', 'g', '{responses:read}', ${merchant.id}, now(), now()
      FROM directory.memberships WHERE merchant_id = ${merchant.id} ON CONFLICT DO NOTHING`;
    const shops = (html: string) => [...html.matchAll(/<\/h2><p><bdi>([^<]*)/g)].map(([, name]) => name);
    const { html } = await browser.open("/oauth/connections");
    expect([shops(html).length, shops(html).slice(1, 3)]).toEqual([50, ["Shop 1", "Shop 2"]]);
    expect(html).toMatch(/find=Lookout"><bdi>Lookout<.*Connected to 61 shops/s);
    expect(html).toContain('<a class="button" href="/oauth/connections?page=2" rel="next">Next</a>');
    expect(shops((await browser.open("/oauth/connections?page=2")).html).at(-1)).toBe("Shop 60");
    expect(shops((await browser.open("/oauth/connections?find=shop+17")).html)).toEqual(["Shop 17"]);
    const none = await browser.open("/oauth/connections?find=%3Cnothing%3E");
    expect(none.html).toMatch(/value="&lt;nothing&gt;".*No shops found\./s);
  });

  test("where there is none, the page says how to connect one, and where there is no shop, whom to ask", async () => {
    const merchant = await fixture.registerMerchant();
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
    expect((await browser.open("/oauth/connections")).html).toContain("Ask us to add your shop");
    await fixture.registerShop("Fern & Field", "standard", merchant);
    expect((await browser.open("/oauth/connections")).html).toContain("To connect an app, start in the app itself.");
  });

  test("a first approval is not finished yet, and can be ended, as long as its code lives; then it is not among them", async () => {
    const merchant = await fixture.registerMerchant();
    const shopId = await fixture.registerShop("Fern & Field", "standard", merchant);
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, merchant);
    await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const approvedBefore = (seconds: number) => fixture.replicas.sql`
      UPDATE oauth.connections SET approved_at = now() - make_interval(secs => ${seconds}) WHERE shop_id = ${shopId}`;
    const open = async () => (await browser.open("/oauth/connections")).html;
    for (const seconds of [0, 540]) {
      await approvedBefore(seconds);
      const html = await open();
      expect(html).toContain('<strong class="tag muted">Not finished</strong>');
      expect(html).toContain(">Disconnect</button>");
    }
    await approvedBefore(601);
    expect(await open()).toContain("No connected apps yet.");
  });

  test("of a shop that can't be read now: the page says so, shows the other shops, and the log has why", async () => {
    const { browser, merchant, shopId } = await connectedMerchant(fixture);
    const open = () => browser.open("/oauth/connections");
    await whileShopIsAway(fixture.replicas.sql, shopId, async () => {
      expect(await open()).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
    });
    await fixture.registerShop("Other", "standard", merchant);
    await whileShopIsAway(fixture.replicas.sql, shopId, async () => {
      const { html, status } = await open();
      expect(status).toBe(200);
      expect(html).toContain("We can’t reach <bdi>Fern &amp; Field</bdi> right now.");
      expect(html).not.toContain("No connected apps");
      expect(fixture.replicas.records.at(-1)).toMatchObject({
        msg: "a shop can't be read",
        shopId,
        err: { message: "the node of this shop is away" },
      });
    });
    expect((await open()).html).toContain("Disconnect");
  });

  test("of other merchants are not shown", async () => {
    await connectedMerchant(fixture);
    const stranger = await fixture.registerMerchant();
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), stranger);
    expect((await browser.open("/oauth/connections")).html).not.toContain("Lookout");
  });
});
