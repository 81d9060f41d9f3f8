import type { StackUnderTest } from "../stack/stacks.ts";
import type { MerchantBrowser } from "./merchant-browser.ts";
import type { PartnerClient, ShopRecord } from "./onboarding.ts";

/** A test shop, as somebody of the client makes it on the partner pages. */
export async function createTestShop(
  { base_url }: Pick<StackUnderTest, "base_url">,
  { clientId }: PartnerClient,
  browser: MerchantBrowser,
): Promise<ShopRecord> {
  const settings = `${base_url}/partner/${clientId}/settings`;
  // It signs in where that is asked.
  const page = await browser.openConsent(settings);
  const { text } = await browser.press(page, "Create test shop");
  const [, name = "", id = ""] = /(Test shop \d) .*?(shop_\w+)/.exec(text) ?? [];
  return { id, name, plan: "advanced_attribution" };
}
