import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { merchantBrowser } from "../actors/merchant-browser.ts";
import { type MerchantAccount, onboardMerchant, type PartnerClient } from "../actors/onboarding.ts";
import { operator } from "../actors/operator.ts";
import { partner } from "../actors/partner.ts";
import type { StackUnderTest } from "../stack/stacks.ts";
import { CALLBACK, type MerchantWorld } from "./merchant-world.ts";

/** A page that a merchant can see, and how to get there in a new browser. All of them stand in this one list. */
export interface Scene {
  readonly name: string;
  /** What its heading says, in English. */
  readonly heading: RegExp;
  /** Whether it runs the script that asks for passkeys. Default: false. */
  readonly hasScript?: true;
  open(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly page: Page;
  readonly stack: StackUnderTest;
  readonly world: MerchantWorld;
}

export const SCENES: readonly Scene[] = [
  { name: "sign-in", heading: /^Sign in to connect Lookout Analytics$/, open: (stage) => begin(stage) },
  {
    name: "sign-in-refused",
    heading: /^Sign in to connect Lookout Analytics$/,
    async open(stage) {
      await begin(stage);
      await signIn(stage, { ...stage.world.ada, password: "not this one" });
    },
  },
  {
    name: "sign-in-throttled",
    heading: /^Sign in to connect Lookout Analytics$/,
    async open(stage) {
      await begin(stage);
      do await signIn(stage, { email: "guessed@fernandfield.example", password: "a guess" });
      while (!(await stage.page.getByText("Too many attempts").isVisible()));
    },
  },
  {
    name: "decline-without-signing-in",
    heading: /^Decline this request\?$/,
    async open(stage) {
      await begin(stage);
      await stage.page.getByRole("link", { name: "Don’t connect Lookout Analytics" }).click();
    },
  },
  {
    name: "consent",
    heading: /^Connect Lookout Analytics to your shop\?$/,
    async open(stage) {
      await consent(stage, stage.world.ada);
      await stage.page.getByRole("radio", { name: "Fern & Field", exact: true }).check();
    },
  },
  {
    name: "consent-optional",
    heading: /^Connect Harbor Reports to your shop\?$/,
    async open(stage) {
      await consent(stage, stage.world.ada, stage.world.harbor);
      await stage.page.getByRole("radio", { name: "Fern & Field", exact: true }).check();
    },
  },
  {
    name: "consent-only-shop",
    heading: /^Connect Lookout Analytics/,
    open: (stage) => consent(stage, stage.world.grace),
  },
  {
    name: "consent-no-shop",
    heading: /^No shops in your account$/,
    open: (stage) => consent(stage, stage.world.withoutShop),
  },
  {
    name: "consent-foreign-names",
    heading: /^Connect شركة <i>النخيل<\/i> gnp.exe to your shop\?$/,
    open: (stage) => consent(stage, stage.world.layla, stage.world.nakheel),
  },
  {
    name: "consent-many-shops",
    heading: /^Connect Lookout Analytics/,
    async open(stage) {
      await consent(stage, stage.world.chain);
      await stage.page.getByRole("radio", { name: "Blue Cup Coffee Hamburg", exact: true }).check();
    },
  },
  {
    name: "consent-nothing-to-grant",
    heading: /^Lookout Analytics can’t be connected$/,
    async open(stage) {
      await begin(stage, stage.world.lookout, "sources:write");
      await signIn(stage, stage.world.grace);
    },
  },
  {
    name: "consent-out-of-date",
    heading: /^Connect Lookout Analytics/,
    async open(stage) {
      await consent(stage, stage.world.grace);
      await stage.page.evaluate("document.querySelector('main input[name=token]').value = 'of another page'");
      await stage.page.getByRole("button", { name: "Approve" }).click();
    },
  },
  {
    name: "session-ended",
    heading: /^Sign in to connect Lookout Analytics$/,
    async open(stage) {
      await consent(stage, stage.world.ada);
      const cookies = await stage.page.context().cookies();
      const changed = cookies.map((cookie) =>
        cookie.name === "merchant_session" ? { ...cookie, value: "A".repeat(43) } : cookie,
      );
      await stage.page.context().addCookies(changed);
      await stage.page.reload();
    },
  },
  { name: "connected-apps", heading: /^Connected apps$/, open: (stage) => connectedApps(stage, stage.world.ada) },
  {
    name: "connected-apps-many",
    heading: /^Connected apps$/,
    open: (stage) => connectedApps(stage, stage.world.chain),
  },
  {
    name: "connected-apps-no-shop",
    heading: /^Connected apps$/,
    open: (stage) => connectedApps(stage, stage.world.withoutShop),
  },
  {
    name: "connected-app",
    heading: /^Lookout Analytics$/,
    async open(stage) {
      await connectedApps(stage, stage.world.ada);
      await stage.page.getByRole("link", { name: "Details" }).nth(1).click();
    },
  },
  {
    name: "disconnect",
    heading: /^Disconnect Harbor Reports from Fern & Field\?$/,
    async open(stage) {
      await connectedApps(stage, stage.world.ada);
      await stage.page.getByRole("button", { name: "Disconnect" }).first().click();
    },
  },
  {
    name: "disconnect-not-finished",
    heading: /^Disconnect Lookout Analytics from Lin Ceramics\?$/,
    async open(stage) {
      const { stack, world } = stage;
      const attempt = partner(stack, world.lookout).attempt({ scope: "responses:read", redirectUri: CALLBACK });
      await merchantBrowser(world.grace).approve(attempt.url, { name: "Lin Ceramics" });
      await connectedApps(stage, world.grace);
      await stage.page.getByRole("button", { name: "Disconnect" }).click();
    },
  },
  {
    name: "signed-out",
    heading: /^Sign in$/,
    async open(stage) {
      await connectedApps(stage, stage.world.ada);
      await openAccountMenu(stage.page);
      await stage.page.getByRole("button", { name: "Sign out", exact: true }).click();
    },
  },
  { name: "change-password", heading: /^Change your password$/, open: (stage) => changePassword(stage) },
  {
    name: "change-password-refused",
    heading: /^Change your password$/,
    async open(stage) {
      await changePassword(stage);
      await typePassword(stage, "passwordpassword", "Change password");
    },
  },
  {
    name: "passkeys",
    heading: /^Passkeys$/,
    hasScript: true,
    async open(stage) {
      await withPasskey(stage);
      await stage.page.getByText("Rename or remove").click();
    },
  },
  {
    name: "passkey-asked",
    heading: /^Confirm it’s you$/,
    hasScript: true,
    async open(stage) {
      const merchant = await withPasskey(stage);
      await stage.page.context().clearCookies();
      await connectedApps(stage, merchant);
    },
  },
  {
    name: "forgot-password",
    heading: /^Forgot your password\?$/,
    async open(stage) {
      await begin(stage);
      await stage.page.getByRole("button", { name: "Forgot your password?" }).click();
    },
  },
  { name: "reset-password", heading: /^Set a new password$/, open: (stage) => resetPassword(stage) },
  {
    name: "reset-password-refused",
    heading: /^Set a new password$/,
    async open(stage) {
      await resetPassword(stage);
      await typePassword(stage, "partner connect", "Set password");
    },
  },
  {
    name: "reset-password-ended",
    heading: /^This link has expired$/,
    open: async ({ page, stack }) => void (await page.goto(`${stack.base_url}/oauth/password/reset?link=pcr_x`)),
  },
  {
    name: "failure-link",
    heading: /^This link doesn’t work$/,
    async open({ page, stack, world }) {
      await page.goto(partner(stack, world.lookout).attempt({ redirectUri: `${CALLBACK}/` }).url);
      await page.getByText("For developers").click();
    },
  },
  {
    name: "already-connected",
    heading: /^Already approved$/,
    async open(stage) {
      const { page, world } = stage;
      await consent(stage, world.grace);
      const asked = page.url();
      // The partner has no server.
      await page.getByRole("button", { name: "Approve" }).click();
      await page.waitForURL("chrome-error://**");
      await page.goto(asked);
    },
  },
  {
    name: "failure-no-cookies",
    heading: /^Cookies are blocked$/,
    open: async ({ page, stack }) =>
      void (await page.goto(`${stack.base_url}/oauth/authorization?request=of-somebody-else`)),
  },
  {
    name: "failure-not-found",
    heading: /^Page not found$/,
    open: async ({ page, stack }) => void (await page.goto(`${stack.base_url}/oauth/nowhere`)),
  },
];

async function begin(
  { page, stack, world }: Stage,
  client: PartnerClient = world.lookout,
  scope = "responses:read sources:write",
): Promise<void> {
  await page.goto(partner(stack, client).attempt({ scope, redirectUri: CALLBACK }).url);
}

export async function signIn({ page }: Stage, { email, password }: MerchantAccount): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password").fill(password);
  // The next page must have loaded before anything is done with it.
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Sign in" }).click()]);
}

export async function openAccountMenu(page: Page): Promise<void> {
  await page.locator(".top summary").click();
}

async function consent(stage: Stage, merchant: MerchantAccount, client?: PartnerClient): Promise<void> {
  await begin(stage, client);
  await signIn(stage, merchant);
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

/** A merchant of whom no other page shows anything. */
async function newMerchant({ stack }: Stage): Promise<MerchantAccount> {
  return await onboardMerchant(stack, `june.${randomUUID().slice(0, 8)}`);
}

/** A merchant of her own, who adds a passkey: an account that has one asks for it everywhere. */
async function withPasskey(stage: Stage): Promise<MerchantAccount> {
  const { page, stack } = stage;
  const merchant = await newMerchant(stage);
  const tools = await page.context().newCDPSession(page);
  await tools.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true } as const;
  await tools.send("WebAuthn.addVirtualAuthenticator", { options });
  await connectedApps(stage, merchant);
  await page.goto(`${stack.base_url}/oauth/account/passkeys`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Passkey added.").waitFor();
  return merchant;
}

async function typePassword({ page }: Stage, password: string, button: string): Promise<void> {
  await page.waitForLoadState();
  for (const field of await page.getByLabel(/^New password/).all()) await field.fill(password);
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: button }).click()]);
}

async function connectedApps(stage: Stage, merchant: MerchantAccount): Promise<void> {
  await stage.page.goto(`${stage.stack.base_url}/oauth/connections`);
  await signIn(stage, merchant);
}
