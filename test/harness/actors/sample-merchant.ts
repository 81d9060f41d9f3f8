import type { Page } from "playwright-core";
import type { MerchantAccount } from "./onboarding.ts";

/** What a merchant does in a browser between the sample's 'Connect' button and the way back. */
export async function signIn(page: Page, account: MerchantAccount): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export async function approve(page: Page, shop: { readonly name: string }): Promise<void> {
  await page.getByRole("radio", { name: shop.name, exact: true }).check();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
}
