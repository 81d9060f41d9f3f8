import { type MerchantFixture, offered } from "./merchant-fixture.ts";

/** A signed-in merchant who has approved the client for one shop, 'Fern & Field'. */
export async function approvingMerchant(fixture: MerchantFixture) {
  const merchant = await fixture.registerMerchant();
  const shopId = await fixture.registerShop("Fern & Field", "standard", merchant);
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, merchant);
  await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
  return {
    merchant,
    browser,
    shopId,
    connectionId: String((await fixture.connectionOf(shopId))?.["id"]),
  };
}

/** Like `approvingMerchant`, but the shop is connected in Postgres. */
export async function connectedMerchant(fixture: MerchantFixture) {
  const connected = await approvingMerchant(fixture);
  await fixture.replicas.sql`UPDATE oauth.connections
    SET status = 'connected', connected_at = now(), exchanged_at = now(), last_used_at = now() WHERE shop_id = ${connected.shopId}`;
  return connected;
}
