import { randomUUID } from "node:crypto";
import type { Cookie, Page } from "playwright-core";
import { type MerchantAccount, onboardMerchant, type PartnerClient } from "../actors/onboarding.ts";
import { operator } from "../actors/operator.ts";
import { partner } from "../actors/partner.ts";
import type { StackUnderTest } from "../stack/stacks.ts";
import { addAuthenticator, signIn } from "./merchant-page.ts";
import { CALLBACK, type MerchantWorld } from "./merchant-world.ts";

/** A page that a merchant can see, and how to get there in a new browser. Each layout once. */
export interface Scene {
  readonly name: string;
  /** The heading of the page, in English. */
  readonly heading: RegExp;
  /** True if it runs a script: for passkeys, to show passwords, or to copy ids. */
  readonly hasScript: boolean;
  open(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly page: Page;
  readonly stack: StackUnderTest;
  readonly world: MerchantWorld;
  /** Cookies by email, because a sign-in for each scene takes a third of the CPU. */
  readonly sessions?: Map<string, Cookie[]>;
}

const scene = (name: string, heading: RegExp, open: Scene["open"]): Scene => ({
  ...{ name, heading, open },
  hasScript: /^(passkey|sign-in|.*password-refused|partner-(?!no-app))/.test(name),
});

export const SCENES: readonly Scene[] = [
  scene("sign-in", /^Sign in to connect Lookout Analytics$/, (stage) => begin(stage)),
  scene("sign-in-refused", /^Sign in to connect Lookout Analytics$/, async (stage) => {
    await begin(stage);
    await signIn(stage.page, { ...stage.world.ada, password: "not this one" });
  }),
  scene("consent", /^Connect Lookout Analytics to your shop\?$/, async (stage) => {
    await openConsentPage(stage, stage.world.ada);
    await stage.page.getByRole("radio", { name: "Fern & Field", exact: true }).check();
  }),
  scene("consent-only-shop", /^Connect Lookout Analytics to Lin Ceramics\?$/, (stage) =>
    openConsentPage(stage, stage.world.grace),
  ),
  scene("consent-foreign-names", /^Connect شركة <i>النخيل<\/i> gnp.exe to your shop\?$/, (stage) =>
    openConsentPage(stage, stage.world.layla, stage.world.nakheel),
  ),
  scene("consent-many-shops", /^Connect Lookout Analytics/, async (stage) => {
    await openConsentPage(stage, stage.world.chain);
    await stage.page.getByRole("radio", { name: "Atelier Dubois Hamburg", exact: true }).check();
  }),
  scene("consent-nothing-to-grant", /^Lookout Analytics can’t be connected$/, async (stage) => {
    await openAs(stage, stage.world.grace, linkOf(stage, stage.world.lookout, "sources:write"));
  }),
  scene("consent-out-of-date", /^Connect Lookout Analytics/, async (stage) => {
    await openConsentPage(stage, stage.world.grace);
    await stage.page.evaluate(
      "document.querySelector('main input[name=token]').value = 'of another page'",
    );
    await stage.page.getByRole("button", { name: "Approve" }).click();
  }),
  scene("connected-apps-many", /^Apps connected to your shops$/, (stage) =>
    connectedApps(stage, stage.world.chain),
  ),
  scene("connected-app", /^Lookout Analytics at Fern & Field$/, async (stage) => {
    await connectedApps(stage, stage.world.ada);
    await stage.page.getByRole("link", { name: "Fern & Field Lookout Analytics" }).click();
  }),
  scene("disconnect", /^Disconnect Lookout Analytics from Fern & Field\?$/, async (stage) => {
    await connectedApps(stage, stage.world.ada);
    await stage.page.getByRole("button", { name: "Disconnect" }).first().click();
  }),
  scene("remove", /^Remove Harbor Reports from Fern & Field\?$/, async (stage) => {
    await connectedApps(stage, stage.world.ada);
    await stage.page.getByRole("button", { name: "Remove" }).click();
  }),
  scene("change-password-refused", /^Choose a new password$/, async (stage) => {
    await changePassword(stage);
    await typePassword(stage, "passwordpassword", "Change password");
  }),
  scene("passkeys", /^Passkeys$/, async (stage) => {
    await withPasskey(stage);
    await stage.page.getByText("Remove", { exact: true }).click();
  }),
  scene("passkey-asked", /^Confirm it’s you$/, async (stage) => {
    const merchant = await withPasskey(stage);
    await stage.page.context().clearCookies();
    await connectedApps({ ...stage, sessions: new Map() }, merchant);
  }),
  scene("reset-password-refused", /^Choose a new password$/, async (stage) => {
    await resetPassword(stage);
    await typePassword(stage, "partner connect", "Set password");
  }),
  scene(
    "reset-password-ended",
    /^This link has expired$/,
    async ({ page, stack }) =>
      void (await page.goto(`${stack.base_url}/oauth/password/reset?link=pcr_x`)),
  ),
  scene("failure-link", /^This link doesn’t work$/, async ({ page, stack, world }) => {
    await page.goto(partner(stack, world.lookout).attempt({ redirectUri: `${CALLBACK}/` }).url);
    await page.getByText("For developers").click();
  }),
  scene(
    "failure-no-cookies",
    /^Cookies are blocked$/,
    async ({ page, stack }) =>
      void (await page.goto(`${stack.base_url}/oauth/authorization?request=of-somebody-else`)),
  ),
  scene("help", /^What you should know about connected apps$/, async ({ page, stack }) => {
    await page.goto(`${stack.base_url}/help#lost-passkey`);
    await page.locator("#lost-passkey").waitFor();
  }),
  scene("partner-overview", /^How your app is doing$/, (stage) => section(stage)),
  scene("partner-connections", /^Shops connected to your app$/, (stage) =>
    section(stage, "connections"),
  ),
  scene("partner-connection", /^Blue Cup Coffee/, connection),
  scene("partner-errors", /^Failed calls in the last 7 days$/, (stage) => section(stage, "errors")),
  scene("partner-webhooks", /^Your webhook endpoints$/, (stage) => section(stage, "webhooks")),
  scene("partner-settings", /^Registration, secrets/, (stage) => section(stage, "settings")),
  scene("partner-no-app", /^No app in this account$/, async (stage) => {
    await openAs(stage, stage.world.grace, `${stage.stack.base_url}/partner`);
  }),
  scene("partner-test-shop", /^Test shop 1$/, async (stage) => {
    await section(stage, "settings");
    const { page } = stage;
    await page.getByRole("link", { name: "Test shop 1" }).click();
    // The test shop's responses are made within seconds of its creation.
    while (!(await page.getByRole("button", { name: "Add 20 responses" }).isVisible()))
      await page.reload();
  }),
];

const linkOf = ({ stack }: Stage, client: PartnerClient, scope = "responses:read sources:write") =>
  partner(stack, client).attempt({ scope, redirectUri: CALLBACK }).url;

async function begin(stage: Stage): Promise<void> {
  await stage.page.goto(linkOf(stage, stage.world.lookout));
}

export async function openAccountMenu(page: Page): Promise<void> {
  await page.locator(".top summary").click();
}

async function openAs(stage: Stage, merchant: MerchantAccount, url: string): Promise<void> {
  const { page, sessions } = stage;
  const known = sessions?.get(merchant.email);
  if (known) await page.context().addCookies(known);
  await page.goto(url);
  if (known) return;
  await signIn(page, merchant);
  const cookies = await page.context().cookies();
  sessions?.set(
    merchant.email,
    cookies.filter(({ name }) => name.endsWith("merchant_session")),
  );
}

export async function openConsentPage(
  stage: Stage,
  merchant: MerchantAccount,
  client = stage.world.lookout,
): Promise<void> {
  await openAs(stage, merchant, linkOf(stage, client));
}

async function changePassword(stage: Stage): Promise<void> {
  await connectedApps(stage, stage.world.grace);
  await openAccountMenu(stage.page);
  await stage.page.getByRole("link", { name: "Change password" }).click();
  await stage.page.getByLabel("Current password").fill(stage.world.grace.password);
}

async function resetPassword({ page, stack, world }: Stage): Promise<void> {
  const { url } = await operator(stack, ["merchant", "reset-link", world.grace.email]);
  await page.goto(url);
}

async function newMerchant({ stack }: Stage): Promise<MerchantAccount> {
  return await onboardMerchant(stack, `june.${randomUUID().slice(0, 8)}`);
}

/** A separate merchant, who adds a passkey: an account with a passkey requires it everywhere. */
async function withPasskey(stage: Stage): Promise<MerchantAccount> {
  const { page, stack } = stage;
  const merchant = await newMerchant(stage);
  await addAuthenticator(page);
  await connectedApps(stage, merchant);
  await page.goto(`${stack.base_url}/oauth/account/passkeys`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Passkey added.").waitFor();
  return merchant;
}

async function typePassword({ page }: Stage, password: string, button: string): Promise<void> {
  await page.waitForLoadState();
  for (const field of await page.getByLabel(/new password$/i).all()) await field.fill(password);
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name: button }).click(),
  ]);
}

async function connectedApps(stage: Stage, merchant: MerchantAccount): Promise<void> {
  await openAs(stage, merchant, `${stage.stack.base_url}/oauth/connections`);
}

/** A section of the partner pages, as a member of Lookout Analytics sees it. */
async function section(stage: Stage, name = ""): Promise<void> {
  const { stack, world } = stage;
  await openAs(
    stage,
    world.nia,
    `${stack.base_url}/partner/${world.lookout.clientId}/${name}`.replace(/\/$/, ""),
  );
}

async function connection(stage: Stage): Promise<void> {
  await section(stage, "connections");
  await stage.page
    .getByRole("link", { name: /^Blue Cup Coffee/ })
    .first()
    .click();
}
