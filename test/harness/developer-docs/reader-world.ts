import { merchantBrowser } from "../actors/merchant-browser.ts";
import { onboard, type ShopRecord } from "../actors/onboarding.ts";
import { operator } from "../actors/operator.ts";
import { partner } from "../actors/partner.ts";
import { generateResponses, importRecords } from "../actors/survey.ts";
import { createTestShop, pressOnTestShop } from "../actors/test-shop.ts";
import type { StackUnderTest } from "../stack/stacks.ts";

/** The redirect URI of the guides. A loopback URI matches any port. */
const REDIRECT_URI = "http://localhost:3456/callback";

export type ReaderWorld = Awaited<ReturnType<typeof readerWorld>>;

/** A partner's developer, who reads the guides with real credentials, and a merchant with shops. */
export async function readerWorld(stack: StackUnderTest) {
  const onboarded = await onboard(stack, { redirectUris: ["http://localhost:3000/callback"] });
  const { client, merchant, advancedShop } = onboarded;
  const named = ["--name", "Fern & Field", "--owner", merchant.email];
  const command = "shop create --domain fernandfield.example";
  const shop: ShopRecord = await operator(stack, [command, ...named]);
  /** A shop for each language's programs, as a second approval of a shop supersedes the first. */
  const shopOf: Readonly<Record<string, ShopRecord>> = { ts: advancedShop, python: onboarded.shop };
  const browser = merchantBrowser(merchant);
  await operator(stack, ["partner", "add", "--client", client.clientId, "--email", merchant.email]);
  const testShop = await createTestShop(stack, client, browser);
  const records = generateResponses(2001, "docs");
  for (const one of [shop, advancedShop, onboarded.shop]) {
    // After the deletion 2,000 are left, as the programs count; fewer for the commands.
    await importRecords(stack, "response", one, one === shop ? records.slice(0, 60) : records);
    await importRecords(stack, "question", one, [
      { id: 1, prompt: "How did you hear about us?", responses: [] },
    ]);
    await operator(stack, ["response delete --yes --shop", one.id, "--id", records[0]?.id ?? ""]);
  }
  const reader = partner(stack, client);
  return {
    ...onboarded,
    shop,
    shopOf,
    stack,
    browser,
    /** A test shop of the client. The merchant can approve for it. */
    testShop,
    press: (button: string) => pressOnTestShop(stack, client, browser, testShop, button),
    /**
     * The variables that the guides name, with a connection that has just been made, for the scopes
     * that the shop's plan includes.
     */
    async variables(of = shop): Promise<Record<string, string>> {
      const scope = of.plan === "standard" ? "responses:read" : "responses:read sources:write";
      const obtained = await reader.obtainCode(browser, of, { redirectUri: REDIRECT_URI, scope });
      const tokens = (await reader.exchange(obtained)).json();
      const challenge = new URL(obtained.url).searchParams.get("code_challenge") ?? "";
      return {
        BASE: stack.base_url,
        CLIENT_ID: client.clientId,
        CLIENT_SECRET: client.secret,
        REDIRECT_URI,
        STATE: obtained.state,
        CODE: obtained.code,
        CODE_VERIFIER: obtained.codeVerifier,
        CODE_CHALLENGE: challenge,
        ACCESS_TOKEN: tokens.access_token,
        REFRESH_TOKEN: tokens.refresh_token,
      };
    },
  };
}
