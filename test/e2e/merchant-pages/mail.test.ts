import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { press } from "../../harness/browser/merchant-page.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { expectGoodPage, visit } from "./readable.ts";

const NEW = "quinces ripen in late october";
const RESET = /https?:\/\/\S+\/oauth\/password\/reset\?link=[\w-]+/;

let stack: OwnStack;
let people: Onboarded;
let app: Partner;

// The pages of this stack also offer mail and the sign-in with OpenID Connect.
beforeAll(async () => {
  const env = {
    ...{ AUTHORIZATION_SERVER_REPLICAS: "2", RESOURCE_SERVER_REPLICAS: "1", WORKER_REPLICAS: "1" },
    AUTHORIZE_RATE_LIMIT: "5",
    // Nothing listens at this issuer: the provider is down.
    ...{
      OIDC_ISSUER: "http://127.0.0.1:1",
      OIDC_CLIENT_ID: "partner-connect",
      OIDC_CLIENT_SECRET: "s".repeat(32),
    },
    OIDC_NAME: "Surveyor",
  };
  stack = await startOwnStack({ env });
  people = await onboard(stack.now, { name: "Lookout Analytics" });
  app = partner(stack.now, people.client);
});
afterAll(() => stack?.stop());

/** The link to set a password, in the latest mail that has one. */
const mailedLink = (to: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const answer = await fetch(`${stack.now.base_url}/mail.json`);
      const mails = (await answer.json()) as { to: string; text: string }[];
      const [link] = mails.flatMap((mail) => (mail.to === to && RESET.exec(mail.text)) || []);
      return link ?? expect.fail(`no mail to ${to} with a link`);
    },
    { timeout: 30_000, interval: 100 },
  );

test("a mailed link replaces a forgotten password or sets a new account's first password, and works only once", async () => {
  const { merchant, shop } = people;
  const open = async (email: string) => {
    const browser = merchantBrowser({ email, password: NEW });
    const link = await mailedLink(email);
    const fields = { "New password": NEW, "Confirm new password": NEW };
    await browser.press(await browser.open(link), "Set password", fields);
    const { text } = await browser.openConsent(`${stack.now.base_url}/oauth/connections`);
    expect((await browser.open(link)).text).toContain("This link has expired");
    return text;
  };
  const browser = merchantBrowser(merchant);
  const form = await browser.open(`${stack.now.base_url}/oauth/password/forgot`);
  expect((await browser.press(form, "Send link", { Email: merchant.email })).text).toContain(
    "Check your inbox",
  );
  expect(await open(merchant.email)).toContain("Apps connected to your shops");

  const nia = "nia@new.example";
  const added = await operator(stack.now, ["shop add-member --create --name Nia", shop.id, nia]);
  expect(added).toMatchObject({ email: nia, link: null });
  expect(await open(nia)).toContain("No connected apps yet");
});

const goto = async (page: Page, path: string) => void (await page.goto(stack.now.base_url + path));

const PAGES: readonly ((page: Page) => Promise<unknown>)[] = [
  async (page) => {
    do await page.goto(app.attempt().url);
    while (!(await page.getByRole("heading", { name: "Too many requests" }).isVisible()));
  },
  (page) => goto(page, "/oauth/sign-in"),
  async (page) => {
    await goto(page, "/oauth/sign-in");
    await page.getByRole("link", { name: "Continue with Surveyor" }).click();
  },
  (page) => goto(page, "/oauth/sign-in/openid/callback?state=x"),
  (page) => goto(page, "/oauth/password/forgot"),
  async (page) => {
    await goto(page, "/oauth/password/forgot");
    await page.evaluate("document.querySelector('main form').noValidate = true");
    await press(page, "Send link");
  },
  (page) => goto(page, "/oauth/password/forgot?sent=1"),
  (page) => goto(page, "/oauth/password/reset?link=pcl_x"),
];

test("the pages for mail and OpenID Connect are small, load only our script, and are readable in each language, colour scheme and size", async () => {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ locale: "en", reducedMotion: "reduce" });
  // A context whose last page is closed starts a process for the next.
  await context.newPage();
  for (const [index, open] of PAGES.entries())
    await visit(context, open, (visit) => expectGoodPage(visit, index, index === 1 ? 1 : 0));
}, 300_000);
