import type { Page } from "playwright-core";
import type { MerchantAccount } from "../actors/onboarding.ts";

/** Presses the button, and waits until the next page has loaded. */
export async function press(page: Page, name: string): Promise<void> {
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name, exact: true }).first().click(),
  ]);
}

export async function signIn(page: Page, { email, password }: MerchantAccount): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
}

/** Gives the page's device a virtual authenticator, which answers without a user. */
export async function addAuthenticator(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("WebAuthn.enable");
  const user = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  const how = { protocol: "ctap2", transport: "internal" } as const;
  const options = { ...how, ...user, automaticPresenceSimulation: true };
  await tools.send("WebAuthn.addVirtualAuthenticator", { options });
}

/** Chooses the shop and presses Approve, which leaves our pages. */
export async function approve(page: Page, shop: { readonly name: string }): Promise<void> {
  await page.getByRole("radio", { name: shop.name, exact: true }).check();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
}
