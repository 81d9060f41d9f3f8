import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { linkMailedTo } from "../../harness/actors/mailbox.ts";
import {
  type MerchantAccount,
  onboardClient,
  onboardMerchant,
  onboardShop,
  type ShopRecord,
} from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Attempt, type Partner, partner } from "../../harness/actors/partner.ts";
import { type PartnerSite, partnerSite, SITE_REDIRECT_URIS } from "../../harness/actors/partner-site.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { mainStack, type OwnStack, type StackUnderTest, startOwnStack } from "../../harness/stack/stacks.ts";

const NEW = "quinces ripen in late october";

let browser: Browser;
let site: PartnerSite;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchChromium(), partnerSite()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** A stack and the app that leads to it. Where mail is off, operators pass links on. */
interface World {
  readonly stack: StackUnderTest;
  readonly app: Partner;
  readonly hasMail: boolean;
}

async function world(stack: StackUnderTest, hasMail: boolean): Promise<World> {
  const client = await onboardClient(stack, { redirectUris: SITE_REDIRECT_URIS, scope: "responses:read" });
  return { stack, app: partner(stack, client), hasMail };
}

/** A merchant's way from the app's link, in a browser of her own without scripts, and the shop that it is for. */
interface Way extends World {
  readonly page: Page;
  readonly account: MerchantAccount;
  readonly shop: ShopRecord;
  readonly made: Attempt;
  /** The link that set the password of the account. */
  readonly usedLink?: string | undefined;
}

async function begin(begun: World): Promise<Way> {
  const { stack, app } = begun;
  const account = await onboardMerchant(stack);
  const shop = await onboardShop(stack, account);
  const page = await (await browser.newContext({ javaScriptEnabled: false, locale: "en" })).newPage();
  const made = app.attempt({ redirectUri: site.callback, scope: "responses:read" });
  await page.goto(made.url);
  return { ...begun, page, account, shop, made };
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function choosePassword(page: Page, button: string): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(NEW);
  await page.getByLabel("New password again", { exact: true }).fill(NEW);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/* The detours. Each leaves the page as it must be found again, and types no email that is known. */

async function forgetPassword({ page, account, stack, hasMail, usedLink }: Way): Promise<void> {
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  if (hasMail) {
    await page.getByLabel("Email", { exact: true }).fill(account.email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
    const link = await vi.waitFor(async () => {
      const latest = await linkMailedTo(stack, account.email, "/oauth/password/reset");
      expect(latest).not.toBe(usedLink);
      return latest;
    }, 30_000);
    await page.goto(link);
  } else {
    await page.goto((await operator(stack, ["merchant", "reset-link", account.email])).url);
  }
  await choosePassword(page, "Set password");
  await page.getByText("Your new password is set. Sign in with it now.").waitFor();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe(account.email);
  await signIn(page, NEW);
}

/** An operator adds a new account to the shop meanwhile, and its link sets the password. */
async function getAccount({ page, shop, stack }: Way): Promise<Pick<Way, "account" | "usedLink">> {
  const email = `${randomUUID()}@new.example`;
  const { link } = await operator(stack, ["shop", "add-member", shop.id, email, "--create"]);
  const usedLink: string = link ?? (await linkMailedTo(stack, email, "/oauth/password/reset"));
  await page.goto(usedLink);
  await choosePassword(page, "Set password");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe(email);
  await signIn(page, NEW);
  await page.getByText(shop.name).first().waitFor();
  return { account: { email, password: NEW }, usedLink };
}

async function changeLanguage({ page }: Way): Promise<void> {
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.locator('html[lang="de"]').waitFor({ state: "attached" });
  await page.getByRole("button", { name: "English" }).click();
}

/** Ends while the page is open: the decision asks for a sign-in. */
async function loseSession({ page }: Way, password: string): Promise<void> {
  const name = /merchant_session$/;
  const [cookie] = (await page.context().cookies()).filter((each) => name.test(each.name));
  if (!cookie) throw new Error("no session");
  await page.context().addCookies([{ ...cookie, value: "A".repeat(43) }]);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("You were signed out because your session ended.").waitFor();
  await signIn(page, password);
}

async function connects({ page, shop, made, app }: Way): Promise<void> {
  await page.getByText(shop.name).first().waitFor();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.waitForURL(`${site.callback}**`);
  const back = new URL(page.url());
  expect(back.searchParams.get("state")).toBe(made.state);
  expect((await app.exchange({ ...made, code: back.searchParams.get("code") ?? "" })).status).toBe(200);
  await page.context().close();
}

async function makesAllDetours(way: Way): Promise<void> {
  await changeLanguage(way);
  const account = await getAccount(way);
  await changeLanguage(way);
  const added = { ...way, ...account };
  await way.page.getByRole("button", { name: "Use another account" }).click();
  await forgetPassword(added);
  await loseSession(added, NEW);
  await changeLanguage(added);
  await connects(added);
}

describe("a merchant is never lost: from the app's first link she connects the shop in one go", () => {
  let main: World;
  beforeAll(async () => {
    main = await world(mainStack(), false);
  });

  test("who forgot the password", async () => {
    const way = await begin(main);
    await forgetPassword(way);
    await connects(way);
  });

  test("who has no account yet, and gets one meanwhile", async () => {
    const way = await begin(main);
    await getAccount(way);
    await connects(way);
  });

  test("who changes the language", async () => {
    const way = await begin(main);
    await changeLanguage(way);
    await way.page.getByLabel("Email", { exact: true }).fill(way.account.email);
    await signIn(way.page, way.account.password);
    await changeLanguage(way);
    await connects(way);
  });

  test("whose session ends", async () => {
    const way = await begin(main);
    await way.page.getByLabel("Email", { exact: true }).fill(way.account.email);
    await signIn(way.page, way.account.password);
    await loseSession(way, way.account.password);
    await connects(way);
  });

  test("who does all of it in a row", async () => {
    await makesAllDetours(await begin(main));
  });

  describe("where mail is on", () => {
    let own: OwnStack;
    beforeAll(async () => {
      const replicas = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", NOTIFIER_REPLICAS: "1" };
      own = await startOwnStack({ env: replicas });
    });
    afterAll(() => own?.stop());

    test("who does all of it in a row, by the links of mails", async () => {
      await makesAllDetours(await begin(await world(own.now, true)));
    });
  });
});
