import { setTimeout as sleep } from "node:timers/promises";
import type { StackUnderTest } from "../stack/stacks.ts";
import type { MerchantBrowser } from "./merchant-browser.ts";
import type { PartnerClient, ShopRecord } from "./onboarding.ts";

export async function createTestShop(
  { base_url }: Pick<StackUnderTest, "base_url">,
  { clientId }: PartnerClient,
  browser: MerchantBrowser,
): Promise<ShopRecord> {
  const settings = `${base_url}/partner/${clientId}/settings`;
  // Signs in if asked.
  const page = await browser.openConsent(settings);
  const { text } = await browser.press(page, "Create test shop");
  const [, name = "", id = ""] = /(Test shop \d) .*?(shop_\w+)/.exec(text) ?? [];
  return { id, name, plan: "advanced_attribution" };
}

/** Presses a button of the test shop's page once it has responses; waits until it is done. */
export async function pressOnTestShop(
  { base_url }: Pick<StackUnderTest, "base_url">,
  { clientId }: PartnerClient,
  browser: MerchantBrowser,
  { id }: ShopRecord,
  button: string,
): Promise<void> {
  const url = `${base_url}/partner/${clientId}/settings/test-shops/${id}`;
  const untilItSays = async (isSaid: (text: string) => boolean) => {
    for (const end = Date.now() + 30_000; ; await sleep(100)) {
      const { text } = await browser.open(url);
      if (isSaid(text)) return;
      if (Date.now() > end) throw new Error(`the test shop's page says: ${text}`);
    }
  };
  await untilItSays((text) => text.includes("Ready"));
  await browser.press(await browser.open(url), button);
  await untilItSays((text) => !text.includes("Changing responses"));
}
