import { connectDatabase } from "@partner-connect/database";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onboardManyShops } from "../../harness/actors/many-shops.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type MerchantAccount, onboardClient, onboardMerchant } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { type PartnerSite, partnerSite, SITE_REDIRECT_URIS } from "../../harness/actors/partner-site.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import type { LANGUAGES } from "../../harness/browser/reader.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const BOTH = "responses:read sources:write";
const CONNECTED = "Fern & Field Garden";

const stack = mainStack();
let browser: Browser;
let site: PartnerSite;
let app: Partner;
/** By the number of their shops. One of the first one's and the second one's shops is connected already. */
let merchants: Record<1 | 2 | 40, MerchantAccount>;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchChromium(), partnerSite()]);
  app = partner(stack, await onboardClient(stack, { redirectUris: SITE_REDIRECT_URIS, scope: BOTH }));
  const [one, two, forty] = await Promise.all([1, 2, 40].map(() => onboardMerchant(stack)));
  if (!one || !two || !forty) throw new Error("a merchant is missing");
  merchants = { 1: one, 2: two, 40: forty };
  await shop(two, "Blue Cup Coffee", "standard");
  for (const owner of [one, two]) {
    const record = await shop(owner, CONNECTED, "advanced_attribution");
    await app.connect(merchantBrowser(owner), record, { scope: "responses:read", redirectUri: site.callback });
  }
  const sql = connectDatabase(stack.database_url, { name: "test", connections: 1 });
  await onboardManyShops(sql, forty.email).finally(() => sql.end());
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function shop(owner: MerchantAccount, name: string, plan: string) {
  return await operator(stack, [
    ...["shop", "create", "--name", name, "--owner", owner.email, "--plan", plan, "--domain", "fernandfield.example"],
  ]);
}

type Shops = keyof typeof merchants;

interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly locale?: (typeof LANGUAGES)[number];
  readonly javaScriptEnabled?: false;
}

/** Tabs of merchants who are signed in, with and without scripts: a new tab for each test takes most of its CPU. */
const tabs = new Map<string, Page>();

async function openTab(shops: Shops, javaScriptEnabled: boolean): Promise<Page> {
  const page = await browser.newPage({ locale: "en", reducedMotion: "reduce", javaScriptEnabled });
  await page.goto(app.attempt({ scope: BOTH, redirectUri: site.callback }).url);
  await page.locator("input[type=email]").fill(merchants[shops].email);
  await page.locator("input[type=password]").fill(merchants[shops].password);
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await page.waitForSelector(".decision");
  return page;
}

async function onConsentPage(shops: Shops, options: Look, look: (page: Page) => Promise<void>): Promise<void> {
  const { viewport = { width: 1280, height: 720 }, locale = "en", javaScriptEnabled = true } = options;
  const name = `${shops} ${javaScriptEnabled}`;
  const page = tabs.get(name) ?? (await openTab(shops, javaScriptEnabled));
  tabs.set(name, page);
  await page.setViewportSize(viewport);
  await page.context().addCookies([{ name: "merchant_language", value: locale, url: stack.base_url }]);
  await page.goto(app.attempt({ scope: BOTH, redirectUri: site.callback }).url);
  await page.waitForSelector(".decision");
  await look(page);
}

/** The upper and the lower edge of both buttons of the decision, in the window. */
async function decisionEdges(page: Page): Promise<{ top: number; bottom: number }> {
  const boxes = await Promise.all(["approve", "decline"].map((name) => page.locator(`[value=${name}]`).boundingBox()));
  const edges = boxes.flatMap((box) => (box ? [box.y, box.y + box.height] : []));
  expect(edges).toHaveLength(4);
  return { top: Math.min(...edges), bottom: Math.max(...edges) };
}

/** The accessible description of the button 'Approve'. */
async function approveIsDescribedBy(page: Page): Promise<string | undefined> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send("DOM.getDocument");
  const { nodes } = await session.send("Accessibility.queryAXTree", {
    nodeId: root.nodeId,
    accessibleName: "Approve",
    role: "button",
  });
  await session.detach();
  expect(nodes).toHaveLength(1);
  return nodes[0]?.description?.value;
}

/** The visible text of an element. */
async function shownText(page: Page, selector: string): Promise<string> {
  return await page.evaluate(`document.querySelector("${selector}").innerText`);
}

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

describe("the consent page", () => {
  test("has its decision in view, before any scrolling and while scrolling, and on a phone a shop beside it", async () => {
    for (const [viewport, shops, locale] of [
      [WINDOWS[0], 1, "en"],
      [WINDOWS[0], 40, "fr"],
      [WINDOWS[1], 2, "de"],
      [WINDOWS[1], 40, "es"],
    ] as const) {
      await onConsentPage(shops, { viewport, locale }, async (page) => {
        const shop = await page.locator(".shop").first().boundingBox();
        const bar = await page.locator(".decision").boundingBox();
        if (viewport === WINDOWS[1]) expect((shop?.y ?? 0) + (shop?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
        for (const part of [0, 0.5, 0.8]) {
          const end = "document.querySelector('form.consent').offsetHeight - innerHeight";
          await page.evaluate(`scrollTo(0, ${part} * (${end}))`);
          const { top, bottom } = await decisionEdges(page);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(bottom).toBeLessThanOrEqual(viewport.height);
        }
      });
    }
  });

  test("names the chosen shop at the buttons, without scripts, as what describes Approve", async () => {
    const onlyShop = `Approve for ${CONNECTED} Already connected. Approving adds the permission: Add attribution sources.`;
    await onConsentPage(1, { javaScriptEnabled: false }, async (page) => {
      expect(await approveIsDescribedBy(page)).toBe(onlyShop);
      expect((await shownText(page, ".decision p")).replace("\n", " ")).toBe(onlyShop);
    });
    for (const shops of [2, 40] as const) {
      await onConsentPage(shops, { javaScriptEnabled: false, viewport: WINDOWS[1] }, async (page) => {
        expect(await approveIsDescribedBy(page)).toBe("Choose a shop first.");
        for (const radio of [page.getByRole("radio").last(), page.getByRole("radio").first()]) {
          await radio.check();
          const name = await shownText(page, ".shop:has(:checked) label");
          expect(await approveIsDescribedBy(page)).toMatch(`Approve for ${name}`);
          expect(await shownText(page, ".decision p")).toMatch(`Approve for ${name}`);
        }
      });
    }
  });

  test("a shop that has the focus is not behind the decision", async () => {
    await onConsentPage(40, { viewport: WINDOWS[1] }, async (page) => {
      await page.getByRole("radio", { name: "Atelier Dubois Bristol", exact: true }).focus();
      for (let shops = 1; shops < 40; shops += 1) {
        await page.keyboard.press("ArrowDown");
        const focused = await page.locator("input:focus").boundingBox();
        const { top } = await decisionEdges(page);
        expect((focused?.y ?? top) + (focused?.height ?? 0)).toBeLessThan(top);
      }
    });
  });
});
