import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onboardClient, onboardMerchant, onboardShop } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { type PartnerSite, partnerSite, SITE_REDIRECT_URIS } from "../../harness/actors/partner-site.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const NEW = "quinces ripen in late october";
const NEWER = "herons stand in cold water";

const stack = mainStack();
let browser: Browser;
let site: PartnerSite;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchChromium(), partnerSite()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function newPage(): Promise<Page> {
  return await (await browser.newContext({ javaScriptEnabled: false, locale: "en" })).newPage();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function choose(page: Page, password: string, button: string): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("New password again", { exact: true }).fill(password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

describe("a merchant who forgot the password", () => {
  test("gets a link from the operator, sets a new one, and connects a shop", async () => {
    const merchant = await onboardMerchant(stack);
    const shop = await onboardShop(stack, merchant);
    const client = await onboardClient(stack, { redirectUris: SITE_REDIRECT_URIS, scope: "responses:read" });
    const app = partner(stack, client);
    const made = app.attempt({ redirectUri: site.callback });
    const page = await newPage();

    await page.goto(made.url);
    await signIn(page, merchant.email, "what was it again");
    await page.getByText("The email or the password is not right.").waitFor();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByText("Ask us for a link").waitFor();

    const { url } = await operator(stack, ["merchant", "reset-link", merchant.email]);
    const referrers: (string | undefined)[] = [];
    page.on("request", (request) => referrers.push(request.headers()["referer"]));
    await page.goto(url);
    await choose(page, "passwordpassword", "Set password");
    expect(await page.getByLabel("New password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await choose(page, NEW, "Set password");
    await page.getByText("Your new password is set.").waitFor();
    expect(referrers.filter((referrer) => referrer?.includes("link="))).toEqual([]);
    expect(referrers.some((referrer) => referrer === `${stack.base_url}/`)).toBe(true);

    await page.goto(made.url);
    await signIn(page, merchant.email, NEW);
    await page.waitForLoadState();
    const [only] = await page.getByRole("radio", { name: shop.name, exact: true }).all();
    await only?.check();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.waitForURL(`${site.callback}?**`);
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    expect((await app.exchange({ ...made, code })).status).toBe(200);

    await page.goto(url);
    await page.getByText("This link doesn’t work any more").waitFor();
  });

  test("changes it later, and is signed out on the other device", async () => {
    const merchant = await onboardMerchant(stack);
    await onboardShop(stack, merchant);
    const [here, elsewhere] = [await newPage(), await newPage()];
    for (const page of [here, elsewhere]) {
      await page.goto(`${stack.base_url}/oauth/connections`);
      await signIn(page, merchant.email, merchant.password);
    }
    await here.getByRole("link", { name: "Change password" }).click();
    await here.getByLabel("Current password").fill(merchant.password);
    await choose(here, NEWER, "Change password");
    await here.getByText("Your password is changed.").waitFor();
    await elsewhere.reload();
    expect(new URL(elsewhere.url()).pathname).toBe("/oauth/sign-in");
    await signIn(elsewhere, merchant.email, merchant.password);
    await elsewhere.getByText("The email or the password is not right.").waitFor();

    // An operator's disable ends the rest.
    await operator(stack, ["merchant", "disable", merchant.email]);
    await here.goto(`${stack.base_url}/oauth/connections`);
    await signIn(here, merchant.email, NEWER);
    await here.getByText("Your account is paused").waitFor();
  });
});
