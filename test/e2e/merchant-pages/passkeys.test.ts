import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { onboardClient, onboardMerchant, onboardShop } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { partnerSite, SITE_REDIRECT_URIS } from "../../harness/actors/partner-site.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { addAuthenticator, press, signIn } from "../../harness/browser/merchant-page.ts";
import { openAccountMenu } from "../../harness/browser/merchant-scenes.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const PASSKEYS = "/oauth/account/passkeys";

const stack = mainStack();

const [browser, site] = await Promise.all([launchChromium(), partnerSite()]);
const registered = { redirectUris: SITE_REDIRECT_URIS, scope: "responses:read" };
const app = partner(stack, await onboardClient(stack, registered));
afterAll(async () => {
  await browser.close();
  await site.stop();
});

async function device(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await addAuthenticator(page);
  return { context, page };
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

test("after a merchant adds a passkey, approving needs the passkey, even with the right password", async () => {
  const merchant = await onboardMerchant(stack);
  const shop = await onboardShop(stack, merchant);
  const own = await device();
  await own.page.goto(stack.base_url + PASSKEYS);
  await signIn(own.page, merchant);
  await press(own.page, "Add a passkey");
  expect(await own.page.getByText("Passkey added.").isVisible()).toBe(true);

  const strangers = await device();
  const { url } = app.attempt({ redirectUri: site.callback });
  await strangers.page.goto(url);
  await signIn(strangers.page, merchant);
  expect(await heading(strangers.page)).toMatch(/^Sign in to connect/);
  // An authenticator without this passkey.
  await strangers.page.getByRole("button", { name: "Use passkey" }).click();
  await strangers.page.getByText("The passkey wasn’t used. Please try again.").waitFor();
  await strangers.page.goto(url);
  expect(await heading(strangers.page)).toMatch(/^Sign in to connect/);
  await strangers.context.close();

  await own.page.goto(`${stack.base_url}/oauth/connections`);
  await openAccountMenu(own.page);
  await press(own.page, "Sign out");
  await own.context.clearCookies();
  await own.page.goto(app.attempt({ redirectUri: site.callback }).url);
  await signIn(own.page, merchant);
  await press(own.page, "Use passkey");
  await own.page.getByRole("radio", { name: shop.name, exact: true }).check();
  await press(own.page, "Approve");
  expect(await heading(own.page)).toBe("Back at the partner");
  await own.context.close();
}, 60_000);
