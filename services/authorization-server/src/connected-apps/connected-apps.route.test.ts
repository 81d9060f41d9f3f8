import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture, offered } from "../testing/merchant-fixture.ts";
import { connectedMerchant } from "./testing/connected-merchant.ts";

let fixture: MerchantFixture;

beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture?.replicas.stop());

describe("connected apps", () => {
  test("are listed by shop: the app, what it may do, who connected it and when, its last use and its end", async () => {
    const { browser } = await connectedMerchant(fixture);
    const { html } = await browser.open("/oauth/connections", { "accept-language": "en-GB" });
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
    const today = day.format(new Date());
    const end = day.format(new Date(Date.now() + 30 * 24 * 3_600_000));
    expect(html).toContain("<bdi>Fern &amp; Field</bdi>");
    expect(html).toContain("<bdi>Lookout</bdi>");
    expect(html).toContain("Read survey responses and questions");
    expect(html).toMatch(new RegExp(`<dt>Connected</dt><dd><time [^>]*>${today}</time></dd>`));
    expect(html).toMatch(new RegExp(`<dt>Approved by</dt><dd><bdi>Ada</bdi>, <time [^>]*>${today}</time></dd>`));
    expect(html).toMatch(new RegExp(`>Expires on <time[^>]*>${end}</time> if not used`));
  });

  test("an approval whose code was never exchanged is not among them", async () => {
    const { browser, shopId } = await connectedMerchant(fixture);
    await fixture.replicas.sql`UPDATE oauth.connections SET connected_at = NULL WHERE shop_id = ${shopId}`;
    expect((await browser.open("/oauth/connections")).html).toContain("No app is connected with this shop.");
  });

  test("one that was revoked and approved anew is not finished yet, and shows no date of the former connection [transition.unfinished]", async () => {
    const { browser, merchant, shopId } = await connectedMerchant(fixture);
    await fixture.replicas.sql`UPDATE oauth.connections SET status = 'revoked', connected_at = '2020-01-01Z',
      last_used_at = '2020-01-01Z', approved_at = '2020-01-01Z' WHERE shop_id = ${shopId}`;
    const { page } = await fixture.consent(browser, merchant);
    await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const { html } = await browser.open("/oauth/connections", { "accept-language": "en-GB" });
    expect(html).toContain('<strong class="tag muted">Not finished yet</strong>');
    expect(html.match(/<dt>[^<]+<\/dt>/g)).toEqual(["<dt>Allowed to</dt>", "<dt>Approved by</dt>"]);
    expect(html).not.toContain("2020");
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
    expect(html).toMatch(/<dt>Connected<\/dt><dd><time [^>]*>1 January 2020<\/time>/);
    expect(html).toMatch(/<dt>Last used<\/dt><dd><time [^>]*>2 January 2020<\/time>/);
    expect(html).not.toContain("<dt>Ends</dt>");
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

  test("are for merchants who have signed in", async () => {
    expect((await fixture.browser().open("/oauth/connections")).location).toBe("/oauth/sign-in");
  });
});
