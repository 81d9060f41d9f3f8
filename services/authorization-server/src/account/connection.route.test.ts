import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { exchangeCode } from "../testing/token-calls.ts";

const fixture = await suiteFixture();

const DETAILS = /<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs;
const detailsOf = (html: string) =>
  [...html.matchAll(DETAILS)].map(([, name, value = ""]) => [name, value.replaceAll(/<[^>]*>/g, "").trim()]);

describe("an app's own page", () => {
  test("shows what it may do, what it read, who approved it, and whose it is", async () => {
    const { browser, shopId, connectionId } = await connectedMerchant(fixture);
    const { sql } = fixture.replicas;
    await sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      VALUES (${shopId}, ${connectionId}, date_trunc('hour', now()), 2, 1204, 0, 0),
             (${shopId}, ${connectionId}, date_trunc('hour', now()) - interval '29 days', 34, 100, 0, 0),
             (${shopId}, ${connectionId}, date_trunc('hour', now()) - interval '31 days', 5000, 5000, 0, 0),
             (${shopId}, 'key_of_the_shop', date_trunc('hour', now()), 7, 7, 0, 0)`;
    await sql`
      UPDATE directory.clients SET publisher = 'Lookout Ltd', privacy_policy = 'https://lookout.example/privacy', contact = 'privacy@lookout.example'
      WHERE client_id = ${fixture.client.clientId}`;
    const path = `/oauth/connections/${shopId}/${connectionId}`;
    await expect.poll(async () => (await browser.open(path)).html).toContain("By <bdi>Lookout Ltd</bdi>");
    const { html } = await browser.open(path, { "accept-language": "en-GB" });
    const now = expect.stringMatching(/this hour \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
    expect(detailsOf(html)).toEqual([
      ["Permissions", expect.stringContaining("Read survey responses and questions")],
      ["Last used", now],
      ["Read in the last 30 days", "1,304 records in 36 calls"],
      ["Approved by", expect.stringMatching(/^Ada, this hour/)],
      ["Connected", now],
      ["Access", expect.stringMatching(/^Expires on \d+ \w+ \d{4} if not used$/)],
    ]);
    expect(html).toContain('href="https://lookout.example/privacy"');
    const whom = '<a href="mailto:privacy@lookout.example">privacy@lookout.example</a>';
    expect(html).toContain(`To have your data deleted, email ${whom}.`);
    expect((await browser.open(`${path}/disconnect`)).html).toContain(whom);
  });

  test.each([
    ["revoked", ["Permissions", "Approved by"]],
    ["connected", ["Permissions", "Last used", "Approved by", "Connected"]],
  ])("of one that was %s and is approved again shows the dates of no former connection", async (status, names) => {
    const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
    await fixture.replicas.sql`UPDATE oauth.connections SET status = ${status}, connected_at = '2020-01-01Z',
      last_used_at = '2020-01-01Z', approved_at = '2020-01-01Z' WHERE shop_id = ${shopId}`;
    const { page } = await fixture.consent(browser, merchant);
    await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const { html } = await browser.open(`/oauth/connections/${shopId}/${connectionId}`);
    expect(html).toContain('<strong class="tag muted">Not finished</strong>');
    expect(detailsOf(html).map(([name]) => name)).toEqual(names);
  });
});

describe("disconnecting", () => {
  test("asks once more, then revokes, and the audit record names the merchant and the request", async () => {
    const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect(confirm.html).toContain("Disconnect <bdi>Lookout</bdi> from <bdi>Fern &amp; Field</bdi>?");
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
    const done = await browser.press(confirm, "Disconnect");
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
    const list = await browser.open(done.location ?? "");
    expect(list.html).toContain("<bdi>Lookout</bdi> no longer has access to <bdi>Fern &amp; Field</bdi>.");
    expect(list.html).toContain("No connected apps yet.");
    const [record] = await fixture.replicas.sql`
      SELECT actor, ip::text, request_id, details ->> 'reason' AS reason FROM oauth.audit_log
      WHERE shop_id = ${shopId} AND connection_id = ${connectionId} AND event = 'revoke'`;
    expect(record).toMatchObject({ actor: `merchant:${merchant.id}`, reason: "disconnected by the merchant" });
    expect(record?.["request_id"]).toBe(done.headers["x-request-id"]);
    expect(record?.["ip"]).toMatch(/^10\./);
  });

  test("a second time does nothing and says the same", async () => {
    const { browser, shopId } = await connectedMerchant(fixture);
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    const [first, second] = [await browser.press(confirm, "Disconnect"), await browser.press(confirm, "Disconnect")];
    expect(second.location).toBe(first.location);
    const records = await fixture.replicas.sql`
      SELECT 1 FROM oauth.audit_log WHERE shop_id = ${shopId} AND event = 'revoke'`;
    expect(records).toHaveLength(1);
  });

  test("ends a first approval: its code is refused from then on", async () => {
    const merchant = await fixture.registerMerchant();
    const shopId = await fixture.registerShop("Fern & Field", "standard", merchant);
    const browser = fixture.browser();
    const codeVerifier = randomBytes(32).toString("base64url");
    const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
    const { page } = await fixture.consent(browser, merchant, { codeChallenge });
    const { location } = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const code = new URL(location ?? "").searchParams.get("code") ?? "";
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect(confirm.html).toContain("It hasn’t finished connecting, and won’t get access.");
    const [first, second] = [await browser.press(confirm, "Disconnect"), await browser.press(confirm, "Disconnect")];
    expect(second.location).toBe(first.location);
    expect((await browser.open(first.location ?? "")).html).toContain("no longer has access");
    const [app] = fixture.replicas.apps;
    if (!app) throw new Error("no replica");
    const answer = await exchangeCode(app, fixture.client, { code, codeVerifier, grantId: "" });
    expect([answer.status, answer.body]).toEqual([400, { error: "invalid_grant", error_description: "grant revoked" }]);
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
  });

  test.each(["", "wrong"])("with the token %j it is refused and asked again", async (token) => {
    const { browser, shopId } = await connectedMerchant(fixture);
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect((await browser.press(confirm, "Disconnect", { token })).status).toBe(403);
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  });

  test("another merchant's connection is as unknown as one that doesn't exist", async () => {
    const { shopId, connectionId } = await connectedMerchant(fixture);
    const { browser, shopId: own } = await connectedMerchant(fixture);
    for (const path of [`${shopId}/${connectionId}`, `${own}/${connectionId}`, `${own}/con_none`, "shop_none/%00"]) {
      for (const page of ["", "/disconnect"]) {
        expect((await browser.open(`/oauth/connections/${path}${page}`)).status).toBe(404);
      }
    }
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  });
});
