import { type TestPasskey, testPasskey } from "./authenticator.ts";
import type { MerchantBrowser, Page } from "./merchant-browser.ts";
import type { MerchantFixture, TestMerchant } from "./merchant-fixture.ts";

export const PASSKEYS = "/oauth/account/passkeys";

/** The options that a page passes to our script. */
export function optionsOf(page: Page): { readonly challenge: string } {
  const [, options = ""] = /data-options="([^"]*)"/.exec(page.html) ?? [];
  if (options === "") throw new Error(`no passkey is asked for:\n${page.html}`);
  return JSON.parse(options.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

/** Adds a passkey in this browser, in which the merchant has just signed in. */
export async function addPasskey(
  browser: MerchantBrowser,
  passkey = testPasskey(),
): Promise<TestPasskey> {
  const page = await browser.open(PASSKEYS);
  const added = await browser.press(page, "Add a passkey", {
    credential: passkey.make(optionsOf(page)),
  });
  if (added.location !== `${PASSKEYS}?done=added`) throw new Error(`not added:\n${added.html}`);
  return passkey;
}

/** A merchant with a passkey, and the browser in which it was added. */
export async function merchantWithPasskey(fixture: MerchantFixture) {
  const merchant = await fixture.registerMerchant();
  const browser = await fixture.signedIn(merchant);
  return { merchant, browser, passkey: await addPasskey(browser) };
}

/** Types the email and the password, and opens the page that follows. */
export async function signInAt(
  fixture: MerchantFixture,
  browser: MerchantBrowser,
  merchant: TestMerchant,
  path: string,
) {
  const form = await browser.arrive(await browser.open(path));
  return await browser.arrive(await fixture.signIn(browser, form, merchant));
}
