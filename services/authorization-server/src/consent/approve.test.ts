import { beforeAll, describe, expect, test } from "vitest";
import { offered, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";
import { REDIRECT_URI } from "../testing/replicas.ts";

const fixture = await suiteFixture();
let ada: TestMerchant;
let fern: string;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});

describe("approving", () => {
  test("connects the chosen shop with exactly the scope shown, leads to the partner, and is recorded with its request", async () => {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    expect(answer.status).toBe(302);
    const target = await browser.follow(answer);
    expect(target.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(target.searchParams.get("state")).toBe("a state");
    expect(target.searchParams.get("code")).toBeTruthy();
    expect(await fixture.connectionOf(fern)).toMatchObject({
      scope: ["responses:read", "sources:write"],
      merchant_id: ada.id,
    });
    const [record] = await fixture.replicas.sql`
      SELECT actor, request_id FROM oauth.audit_log WHERE shop_id = ${fern} AND event = 'approve'`;
    expect(record).toEqual({ actor: `merchant:${ada.id}`, request_id: answer.headers["x-request-id"] });
    expect(answer.headers["x-request-id"]).toBeTruthy();
  });

  test("keeps who approved last, and by which registered redirect URI", async () => {
    const [first, other] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
    const shop = await fixture.registerShop("Wandering", "standard", first, other);
    const cases = [
      [first, "http://localhost:51234/callback", "http://localhost/callback"],
      [other, REDIRECT_URI, REDIRECT_URI],
    ] as const;
    for (const [merchant, redirectUri, registered] of cases) {
      const browser = fixture.browser();
      const { page } = await fixture.consent(browser, merchant, { redirectUri });
      expect((await browser.press(page, "Approve", { shop: offered(page, "Wandering") })).status).toBe(302);
      expect(await fixture.connectionOf(shop)).toMatchObject({ merchant_id: merchant.id, redirect_uri: registered });
    }
  });

  test("no scope beyond the shown ones is granted, though the plan has become a larger one meanwhile", async () => {
    const merchant = await fixture.registerMerchant();
    const shop = await fixture.registerShop("Growing", "standard", merchant);
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, merchant);
    await fixture.replicas.sql`UPDATE directory.shops SET plan = 'advanced_attribution' WHERE id = ${shop}`;
    await browser.press(page, "Approve", { shop: offered(page, "Growing") });
    expect(await fixture.connectionOf(shop)).toMatchObject({ scope: ["responses:read"] });
  });

  test.each([
    ["another merchant's shop", (shop: string) => `${shop} responses:read`],
    ["a shop that doesn't exist", () => "shop_none responses:read"],
    ["no shop", () => ""],
    ["control characters", () => "\u0000"],
  ])("%s can't be approved", async (_, value) => {
    const stranger = await fixture.registerMerchant();
    const theirs = await fixture.registerShop("Theirs", "standard", stranger);
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const answer = await browser.press(page, "Approve", { shop: value(theirs) });
    expect(answer.status).toBe(422);
    expect(answer.forms[0]?.radios).toHaveLength(2);
    expect(await fixture.connectionOf(theirs)).toBeUndefined();
  });

  test("over an operator's hold it is refused, and the page says so", async () => {
    const merchant = await fixture.registerMerchant();
    const shop = await fixture.registerShop("Held", "standard", merchant);
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, merchant);
    await fixture.replicas.sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, disabled, grant_id, scope, merchant_id, connected_at)
      VALUES (${shop}, ${fixture.client.clientId}, 'connected', true, 'g', '{responses:read}', ${merchant.id}, now())`;
    const answer = await browser.press(page, "Approve", { shop: offered(page, "Held") });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("Paused by Partner Connect. Contact us to find out why.");
    expect(await fixture.connectionOf(shop)).toMatchObject({ grant_id: "g" });
  });
});
