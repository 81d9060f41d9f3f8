import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { outliveClientCache } from "../testing/pass-time.ts";
import { exchangeCode, refreshTokens } from "../testing/token-calls.ts";

const VERIFIER = "v".repeat(43);
const LEFT_OUT = { "allow.sources:write": "" };

const fixture = await suiteFixture();

/** The consent page of a merchant with one shop, for a client with this optional scope. */
async function asked(optional: readonly string[] = ["sources:write"]) {
  const { sql } = fixture.replicas;
  const client = await fixture.replicas.registerClient();
  const { clientId } = client;
  const isOptional = async (scope: readonly string[]) =>
    void (await sql`UPDATE directory.clients SET optional_scope = ${[...scope]} WHERE client_id = ${clientId}`);
  await isOptional(optional);
  const merchant = await fixture.registerMerchant();
  const shopId = await fixture.registerShop("Fern & Field", "advanced_attribution", merchant);
  const browser = fixture.browser();
  const { page, path } = await fixture.consent(browser, merchant, {
    clientId,
    codeChallenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  });
  const scope = async () => (await fixture.connectionOf(shopId, clientId))?.["scope"];
  return { browser, page, path, scope, isOptional, client };
}

const box = /<input type="checkbox" id="allow-sources:write" name="allow.sources:write" value="yes"( checked)?>/;

describe("an optional scope", () => {
  test("is allowed as long as the merchant leaves it ticked", async () => {
    const { browser, page, scope } = await asked();
    expect(box.exec(page.html)?.[1]).toBe(" checked");
    const { location } = await browser.press(page, "Approve");
    expect(location).toContain("code=");
    expect(await scope()).toEqual(["responses:read", "sources:write"]);
  });

  test("that is left out is in no token: not in that of the exchange, nor in that of a refresh, which can't ask for it", async () => {
    const [app = expect.fail("no replica")] = fixture.replicas.apps;
    const { browser, page, client, scope: granted } = await asked();
    const { location } = await browser.press(page, "Approve", LEFT_OUT);
    expect(await granted()).toEqual(["responses:read"]);
    const code = new URL(location ?? "").searchParams.get("code") ?? "";
    const exchanged = await exchangeCode(app, client, { code, codeVerifier: VERIFIER, grantId: "" });
    const { refresh_token: refreshToken } = exchanged.body;
    const refreshed = await refreshTokens(app, client, refreshToken);
    for (const { status, body } of [exchanged, refreshed]) {
      const [, claims = ""] = body.access_token.split(".");
      const { scope } = JSON.parse(Buffer.from(claims, "base64url").toString());
      expect([status, body.scope, scope]).toEqual([200, "responses:read", "responses:read"]);
    }
    const wider = await refreshTokens(app, client, refreshToken, { scope: "responses:read sources:write" });
    expect([wider.status, wider.body.error]).toEqual([400, "invalid_scope"]);
  });

  test("that is left out stays so in another language, and through the end of a session", async () => {
    const { browser, page, path } = await asked();
    const german = await browser.press(page, "Deutsch", LEFT_OUT);
    const again = await browser.open(german.location ?? "");
    expect(box.exec(again.html)?.[0]).toBeDefined();
    expect(box.exec(again.html)?.[1]).toBeUndefined();
    browser.cookies.delete("__Host-merchant_session");
    const ended = await browser.press(again, "Zustimmen", LEFT_OUT);
    expect(ended.location).toMatch(new RegExp(`^${path.replaceAll("?", "\\?")}&shop=shop_\\w+%20responses%3Aread$`));
  });

  test("can't be left out once it is required: the page is shown again, and nothing is approved", async () => {
    const { browser, page, scope, isOptional } = await asked();
    await isOptional([]);
    outliveClientCache();
    const refused = await browser.press(page, "Approve", LEFT_OUT);
    expect([refused.status, await scope()]).toEqual([409, undefined]);
    expect(refused.html).toContain("The permissions have changed.");
    expect(refused.html).not.toMatch(box);
  });

  test("is no way to approve nothing", async () => {
    const { browser, page, scope } = await asked(["responses:read", "sources:write"]);
    const refused = await browser.press(page, "Approve", { ...LEFT_OUT, "allow.responses:read": "" });
    expect([refused.status, await scope()]).toEqual([422, undefined]);
    expect(refused.html).toContain("Allow at least one permission, or decline.");
    expect(refused.html).not.toMatch(/value="yes" checked/);
  });

  test("is asked of nobody where the client has none", async () => {
    const { page } = await asked([]);
    expect(page.html).not.toContain('type="checkbox"');
  });
});

test("a client that the operator has verified is shown so, with the day", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  await fixture.replicas.sql`
    UPDATE directory.clients SET verified_at = '2026-11-20T10:00:00Z' WHERE client_id = ${clientId}`;
  const merchant = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "standard", merchant);
  const browser = fixture.browser();
  const mark = /Verified by Partner Connect on <time datetime="2026-11-20">November 20, 2026</;
  expect((await fixture.consent(browser, merchant, { clientId })).page.html).toMatch(mark);
  expect((await fixture.consent(browser, merchant)).page.html).not.toContain("Verified by");
});
