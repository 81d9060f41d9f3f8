import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { press } from "../../harness/browser/merchant-page.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { expectGoodPage, visit } from "./readable.ts";

let stack: OwnStack;
let browser: Browser;
/** Shared by all pages: another context, or one whose last page is closed, starts a process. */
let context: BrowserContext;
let people: Onboarded;

// Pages offer mail, and nobody sends it: the links of mails are made here. They offer the sign-in with an account elsewhere, too.
beforeAll(async () => {
  const env = {
    ...{ AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", MAIL_FROM: "post@connect.example" },
    AUTHORIZE_RATE_LIMIT: "2",
    // Nobody listens there: the provider is away.
    ...{ OIDC_ISSUER: "http://127.0.0.1:1", OIDC_CLIENT_ID: "partner-connect", OIDC_CLIENT_SECRET: "s".repeat(32) },
    OIDC_NAME: "Surveyor",
  };
  [stack, browser] = await Promise.all([startOwnStack({ env }), launchChromium()]);
  context = await browser.newContext({ locale: "en", reducedMotion: "reduce" });
  await context.newPage();
  people = await onboard(stack.now, { name: "Lookout Analytics" });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const goto = async (page: Page, path: string) => void (await page.goto(stack.now.base_url + path));

/** The first stands within the minute that `beforeAll` began to count requests in. */
const SCENES: readonly [name: string, open: (page: Page) => Promise<unknown>][] = [
  [
    "too-many-requests",
    async (page) => {
      do await page.goto(partner(stack.now, people.client).attempt().url);
      while (!(await page.getByRole("heading", { name: "Too many requests" }).isVisible()));
    },
  ],
  ["sign-in-openid", (page) => goto(page, "/oauth/sign-in")],
  [
    "sign-in-openid-away",
    async (page) => {
      await goto(page, "/oauth/sign-in");
      await page.getByRole("link", { name: "Continue with Surveyor" }).click();
    },
  ],
  ["sign-in-openid-ended", (page) => goto(page, "/oauth/sign-in/openid/callback?state=x")],
  ["forgot-password", (page) => goto(page, "/oauth/password/forgot")],
  [
    "forgot-password-refused",
    async (page) => {
      await goto(page, "/oauth/password/forgot");
      await page.evaluate("document.querySelector('main form').noValidate = true");
      await press(page, "Send link");
    },
  ],
  ["forgot-password-sent", (page) => goto(page, "/oauth/password/forgot?sent=1")],
  ["reset-password-ended", (page) => goto(page, "/oauth/password/reset?link=pcl_x")],
];

test.each(SCENES.map(([name, open], index) => [name, open, index] as const))(
  "%s is small and runs nothing; is readable for everybody in each language, in light and dark, from 320 to 1280 pixels, with text twice as large too",
  (_, open, index) => visit(context, open, (visit) => expectGoodPage(visit, index)),
  60_000,
);
