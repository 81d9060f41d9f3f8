import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboardClient, onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { partner } from "../harness/actors/partner.ts";

export interface ConnectedShops {
  readonly clientId: string;
  readonly secret: string;
  readonly refreshTokens: readonly string[];
  /** Gets the approval for one more shop, and returns a function that exchanges the code. */
  readonly approveOne: () => Promise<() => Promise<void>>;
}

/** Connects one client with `count` shops, each by the whole flow. */
export async function connectShops(stack: Parameters<typeof partner>[0], count: number): Promise<ConnectedShops> {
  const client = await onboardClient(stack, { scope: "responses:read" });
  const merchant = await onboardMerchant(stack);
  const browser = merchantBrowser(merchant);
  const refreshTokens: string[] = [];
  for (let index = 0; index < count; index++) {
    const shop = await onboardShop(stack, merchant);
    refreshTokens.push((await partner(stack, client).connect(browser, shop)).refreshToken);
  }
  const approveOne = async () => {
    const app = partner(stack, client);
    const obtained = await app.obtainCode(browser, await onboardShop(stack, merchant));
    return async () => {
      const { status } = await app.exchange(obtained);
      if (status !== 200) throw new Error(`an exchange was answered with ${status}`);
    };
  };
  return { clientId: client.clientId, secret: client.secret, refreshTokens, approveOne };
}
