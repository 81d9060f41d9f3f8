import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { onboard } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { partnerSite, SITE_REDIRECT_URIS } from "../../harness/actors/partner-site.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { approve, signIn } from "../../harness/browser/merchant-page.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const BOTH = "responses:read sources:write";

const stack = mainStack();

const [browser, site] = await Promise.all([launchChromium(), partnerSite()]);
const { client, merchant, shop, advancedShop } = await onboard(stack, {
  redirectUris: SITE_REDIRECT_URIS,
  scope: BOTH,
});
const app = partner(stack, client);
afterAll(async () => {
  await browser.close();
  await site.stop();
});

async function inBrowser(walk: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en" });
  try {
    await walk(await context.newPage());
  } finally {
    await context.close();
  }
}

const attempt = (redirectUri = site.callback) => app.attempt({ scope: BOTH, redirectUri });

test("regression: after a decision, the browser stayed on the consent page if the partner's callback redirected to another origin", async () => {
  for (const [press, sent] of [
    ["Approve", "code"],
    ["Decline", "error"],
  ] as const) {
    await inBrowser(async (page) => {
      await page.goto(attempt(site.callbackThatMovesOn).url);
      await signIn(page, merchant);
      await page.getByRole("radio", { name: shop.name, exact: true }).check();
      await page.getByRole("button", { name: press, exact: true }).click();
      await page.waitForURL("http://127.0.0.2:*/callback?**");
      expect(new URL(page.url()).searchParams.has(sent)).toBe(true);
    });
  }
});

test("a merchant who begins on the authorization host stays there until the callback", async () => {
  await inBrowser(async (page) => {
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    const made = attempt();
    await page.goto(made.url.replace(stack.base_url, stack.auth_url));
    await signIn(page, merchant);
    await approve(page, shop);
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    expect((await app.exchange({ ...made, code })).status).toBe(200);
    expect([...hosts]).toEqual([stack.auth_url, new URL(site.callback).origin]);
  });
});

test("a merchant connects a shop with only the keyboard, and always sees where the focus is", async () => {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  const focused = () =>
    page.evaluate(`(() => {
        const element = document.activeElement;
        const shown = element.closest(".shop") ?? element;
        return { outline: getComputedStyle(shown).outlineStyle, text: (element.labels?.[0] ?? element).textContent };
      })()`) as Promise<{ outline: string; text: string }>;
  const tabTo = async (text: string) => {
    for (let n = 0; n < 20; n += 1) {
      await page.keyboard.press("Tab");
      const { text: at, outline } = await focused();
      expect(outline).not.toBe("none");
      if (at === text) return;
    }
    throw new Error(`the focus never came to '${text}'`);
  };
  try {
    await page.goto(attempt().url);
    // The email has the focus, once the page is drawn.
    await expect.poll(focused).toEqual({ outline: "solid", text: "Email" });
    await page.keyboard.type(merchant.email);
    await tabTo("Password");
    await page.keyboard.type(merchant.password);
    await page.keyboard.press("Enter");
    await page.waitForSelector("fieldset");
    // In the page's order; the radio buttons of a group are one stop of Tab.
    const { compare } = new Intl.Collator("en", { numeric: true });
    const [first] = [shop, advancedShop].toSorted((one, other) => compare(one.name, other.name));
    await tabTo(first?.name ?? "");
    await page.keyboard.press("Space");
    await tabTo("Approve");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site.callback}?**`);
    expect(new URL(page.url()).searchParams.has("code")).toBe(true);
  } finally {
    await context.close();
  }
});
