import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { exchangeCode } from "../testing/token-calls.ts";

const fixture = await suiteFixture();

describe("disconnecting", () => {
  test("asks once more, then revokes, and the audit record names the merchant and the request", async () => {
    const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
    const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
    expect(confirm.html).toContain("Disconnect <bdi>Lookout</bdi> from <bdi>Fern &amp; Field</bdi>?");
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
    const done = await browser.press(confirm, "Disconnect");
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
    const list = await browser.open(done.location ?? "");
    expect(list.html).toContain("is disconnected and no longer has access");
    expect(list.html).toContain("No app is connected with this shop.");
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
    expect(confirm.html).toContain("has not finished connecting with <bdi>Fern &amp; Field</bdi>.");
    expect(confirm.html).not.toContain("loses its access");
    const [first, second] = [await browser.press(confirm, "Disconnect"), await browser.press(confirm, "Disconnect")];
    expect(second.location).toBe(first.location);
    expect((await browser.open(first.location ?? "")).html).toContain("is disconnected and no longer has access");
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
      expect((await browser.open(`/oauth/connections/${path}/disconnect`)).status).toBe(404);
    }
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  });
});
