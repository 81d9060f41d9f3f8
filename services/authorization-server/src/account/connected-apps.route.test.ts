import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { whileShopIsAway } from "../testing/shop-away.ts";

const fixture = await suiteFixture({ env: { LOG_LEVEL: "error", AUTHORIZATION_CODE_TTL_SECONDS: "600" } });

describe("connected apps", () => {
  test("are listed by shop: the app, what it may do, who connected it and when, its last use and its end", async () => {
    const { browser, shopId } = await connectedMerchant(fixture);
    const [row] = await fixture.replicas.sql<{ connected_at: Date }[]>`
      UPDATE oauth.connections SET approved_at = connected_at WHERE shop_id = ${shopId} RETURNING connected_at`;
    vi.useFakeTimers({ toFake: ["Date"], now: row?.connected_at ?? 0 });
    onTestFinished(() => void vi.useRealTimers());
    const { html } = await browser.open("/oauth/connections", { "accept-language": "en-GB" });
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
    const today = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date());
    const end = day.format(new Date(Date.now() + 30 * 24 * 3_600_000));
    expect(html).toContain("<bdi>Fern &amp; Field</bdi>");
    expect(html).toContain("<bdi>Lookout</bdi>");
    expect(html).toContain("Read survey responses and questions");
    const now = `this hour <span class="fine"><time datetime="[^"]*">${today}, \\d\\d:\\d\\d UTC</time></span>`;
    expect(html).toMatch(new RegExp(`<dt>Connected</dt><dd>${now}</dd>`));
    expect(html).toMatch(new RegExp(`<dt>Approved by</dt><dd><bdi>Ada</bdi>, ${now}</dd>`));
    expect(html).toMatch(new RegExp(`>Expires on <time [^>]*>${end}</time> if not used<`));
    expect(html).toMatch(/<dt>Read in the last 30 days<\/dt><dd>Nothing<\/dd>/);
  });

  test("say what the app read lately, by calls and records, and nothing of former months or of other apps", async () => {
    const { browser, shopId, connectionId } = await connectedMerchant(fixture);
    await fixture.replicas.sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      VALUES (${shopId}, ${connectionId}, date_trunc('hour', now()), 2, 1204, 0, 0),
             (${shopId}, ${connectionId}, date_trunc('hour', now()) - interval '29 days', 34, 100, 0, 0),
             (${shopId}, ${connectionId}, date_trunc('hour', now()) - interval '31 days', 5000, 5000, 0, 0),
             (${shopId}, 'key_of_the_shop', date_trunc('hour', now()), 7, 7, 0, 0)`;
    const read = async (language: string) =>
      /<dd><span>([^<]*)<\/span><span>([^<]*)</.exec(
        (await browser.open("/oauth/connections", { "accept-language": language })).html,
      );
    expect((await read("en"))?.slice(1)).toEqual(["1,304 records", "in 36 calls"]);
    expect((await read("de"))?.slice(1)).toEqual(["1.304 Datensätze", "in 36 Abrufen"]);
  });

  test("stand with the newest approval first, and shops in the order that people count in", async () => {
    const { browser, merchant, shopId } = await connectedMerchant(fixture);
    await fixture.registerShop("Shop 10", "standard", merchant);
    await fixture.registerShop("Shop 2", "standard", merchant);
    const { clientId } = await fixture.replicas.registerClient();
    await fixture.replicas.sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at, approved_at)
      SELECT ${shopId}, ${clientId}, 'connected', 'g', '{responses:read}', ${merchant.id}, now(), now() - interval '3 days'`;
    await fixture.replicas.sql`UPDATE directory.clients SET name = 'Older' WHERE client_id = ${clientId}`;
    const { html } = await browser.open("/oauth/connections");
    const names = [...html.matchAll(/<h[23][^>]*><bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name);
    expect(names).toEqual(["Fern &amp; Field", "Lookout", "Older", "Shop 2", "Shop 10"]);
  });

  test("where there is none, the page says how to connect one, and where there is no shop, whom to ask", async () => {
    const merchant = await fixture.registerMerchant();
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
    expect((await browser.open("/oauth/connections")).html).toContain("Ask us to add you to your shop.");
    await fixture.registerShop("Fern & Field", "standard", merchant);
    expect((await browser.open("/oauth/connections")).html).toContain("To connect one, begin in the app itself.");
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
      expect(html).toContain('<strong class="tag muted">Not finished yet</strong>');
      expect(html.match(/<dt>[^<]+<\/dt>/g)).toEqual(["<dt>Allowed to</dt>", "<dt>Approved by</dt>"]);
      expect(html).toContain(">Disconnect</button>");
    }
    await approvedBefore(601);
    expect(await open()).toContain("No app is connected with this shop.");
  });

  test("one that was revoked and approved anew is not finished yet, and shows no date of the former connection", async () => {
    const { browser, merchant, shopId } = await connectedMerchant(fixture);
    await fixture.replicas.sql`UPDATE oauth.connections SET status = 'revoked', connected_at = '2020-01-01Z',
      last_used_at = '2020-01-01Z', approved_at = '2020-01-01Z' WHERE shop_id = ${shopId}`;
    const { page } = await fixture.consent(browser, merchant);
    await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const { html } = await browser.open("/oauth/connections", { "accept-language": "en-GB" });
    expect(html).toContain('<strong class="tag muted">Not finished yet</strong>');
    expect(html.match(/<dt>[^<]+<\/dt>/g)).toEqual(["<dt>Allowed to</dt>", "<dt>Approved by</dt>"]);
    expect(html).not.toMatch(/\b2020\b/);
    expect(html).toContain("Disconnect");
  });

  test("one that is approved again keeps its dates, and is not finished before the app has exchanged the code", async () => {
    const { browser, merchant, shopId } = await connectedMerchant(fixture);
    await fixture.replicas.sql`UPDATE oauth.connections SET connected_at = '2020-01-01Z', last_used_at = '2020-01-02Z'
      WHERE shop_id = ${shopId}`;
    const { page } = await fixture.consent(browser, merchant);
    await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const { html } = await browser.open("/oauth/connections", { "accept-language": "en-GB" });
    expect(html).toContain('<strong class="tag muted">Not finished yet</strong>');
    expect(html).toMatch(/<dt>Connected<\/dt><dd>\d+ years ago <span class="fine"><time [^>]*>1 Jan 2020, 00:00 UTC</);
    expect(html).toMatch(/<dt>Last used<\/dt><dd>\d+ years ago <span class="fine"><time [^>]*>2 Jan 2020, 00:00 UTC</);
    expect(html).not.toContain("<dt>Ends</dt>");
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
      const [, away, other] = html.split("<section");
      expect(away).toMatch(/Fern &amp; Field.*We can’t read this shop’s connections at the moment. Nothing about/s);
      expect(away).not.toContain("No app is connected");
      expect(other).toContain("No app is connected with this shop.");
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
    const { html } = await browser.open("/oauth/connections");
    expect(html).not.toContain("Lookout");
    expect(html).toContain("There is no shop in your account yet.");
  });
});
