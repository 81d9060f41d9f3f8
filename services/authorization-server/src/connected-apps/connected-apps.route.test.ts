import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MerchantBrowser } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, offered, type TestMerchant } from "../testing/merchant-fixture.ts";

let fixture: MerchantFixture;

beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture?.replicas.stop());

interface Connected {
  readonly merchant: TestMerchant;
  readonly browser: MerchantBrowser;
  readonly shopId: string;
  readonly connectionId: string;
}

/** A merchant with a shop that is connected, as far as Postgres knows. */
async function connected(): Promise<Connected> {
  const merchant = await fixture.registerMerchant();
  const shopId = await fixture.registerShop("Fern & Field", "standard", merchant);
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, merchant);
  await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
  await fixture.replicas.sql`UPDATE oauth.connections
    SET status = 'connected', connected_at = now(), exchanged_at = now(), last_used_at = now() WHERE shop_id = ${shopId}`;
  return { merchant, browser, shopId, connectionId: String((await fixture.connectionOf(shopId))?.["id"]) };
}

describe("connected apps", () => {
  test("are listed by shop: the app, what it may do, who connected it and when, its last use and its end", async () => {
    const { browser } = await connected();
    const { html } = await browser.open("/oauth/connections", { "accept-language": "en-GB" });
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
    const today = day.format(new Date());
    const end = day.format(new Date(Date.now() + 30 * 24 * 3_600_000));
    expect(html).toContain("<bdi>Fern &amp; Field</bdi>");
    expect(html).toContain("<bdi>Lookout</bdi>");
    expect(html).toContain("Read survey responses and questions");
    expect(html).toMatch(new RegExp(`<dt>Connected</dt><dd><time [^>]*>${today}</time></dd>`));
    expect(html).toMatch(new RegExp(`<dt>Approved by</dt><dd><bdi>Ada</bdi>, <time [^>]*>${today}</time></dd>`));
    expect(html).toMatch(new RegExp(`>${end}</time>, if not used before`));
  });

  test("an approval whose code was never exchanged is not among them", async () => {
    const { browser, shopId } = await connected();
    await fixture.replicas.sql`UPDATE oauth.connections SET connected_at = NULL WHERE shop_id = ${shopId}`;
    expect((await browser.open("/oauth/connections")).html).toContain("No app is connected with this shop.");
  });

  test("one that was revoked and approved anew is not finished yet, and shows no date of the former connection [transition.unfinished]", async () => {
    const { browser, merchant, shopId } = await connected();
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
    const { browser, merchant, shopId } = await connected();
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
    await connected();
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

describe("disconnecting", () => {
  test("asks once more, then revokes, and the audit record names the merchant", async () => {
    const { browser, merchant, shopId, connectionId } = await connected();
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect(confirm.html).toContain("Disconnect <bdi>Lookout</bdi> from <bdi>Fern &amp; Field</bdi>?");
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
    const done = await browser.press(confirm, "Disconnect");
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
    const list = await browser.open(done.location ?? "");
    expect(list.html).toContain("is disconnected and no longer has access");
    expect(list.html).toContain("No app is connected with this shop.");
    const [record] = await fixture.replicas.sql`
      SELECT actor, ip::text, details ->> 'reason' AS reason FROM oauth.audit_log
      WHERE shop_id = ${shopId} AND connection_id = ${connectionId} AND event = 'revoke'`;
    expect(record).toMatchObject({ actor: `merchant:${merchant.id}`, reason: "disconnected by the merchant" });
    expect(record?.["ip"]).toMatch(/^10\./);
  });

  test("a second time does nothing and says the same", async () => {
    const { browser, shopId } = await connected();
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    const [first, second] = [await browser.press(confirm, "Disconnect"), await browser.press(confirm, "Disconnect")];
    expect(second.location).toBe(first.location);
    const records = await fixture.replicas.sql`
      SELECT 1 FROM oauth.audit_log WHERE shop_id = ${shopId} AND event = 'revoke'`;
    expect(records).toHaveLength(1);
  });

  test.each(["", "wrong"])("with the token %j it is refused and asked again", async (token) => {
    const { browser, shopId } = await connected();
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect((await browser.press(confirm, "Disconnect", { token })).status).toBe(403);
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  });

  test("from another site it is refused", async () => {
    const { browser, shopId } = await connected();
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect((await browser.press(confirm, "Disconnect", {}, { origin: "https://evil.example" })).status).toBe(403);
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  });

  test("another merchant's connection is as unknown as one that doesn't exist", async () => {
    const { shopId, connectionId } = await connected();
    const { browser, shopId: own } = await connected();
    for (const path of [`${shopId}/${connectionId}`, `${own}/${connectionId}`, `${own}/con_none`, "shop_none/%00"]) {
      expect((await browser.open(`/oauth/connections/${path}/disconnect`)).status).toBe(404);
    }
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  });
});
