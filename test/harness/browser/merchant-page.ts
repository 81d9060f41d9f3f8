import type { Page } from "playwright-core";
import type { MerchantAccount } from "../actors/onboarding.ts";

/** Presses the button. The next page must have loaded before anything is done with it. */
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

/** The last click of a merchant on our pages. */
export async function approve(page: Page, shop: { readonly name: string }): Promise<void> {
  await page.getByRole("radio", { name: shop.name, exact: true }).check();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
}
