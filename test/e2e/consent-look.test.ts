import type { Browser, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumProgram, HOW_TO_GET_CHROMIUM, launchChromium } from "../harness/chromium.ts";
import { merchantBrowser } from "../harness/merchant-browser.ts";
import { type MerchantAccount, onboardClient, onboardMerchant } from "../harness/onboarding.ts";
import { operator } from "../harness/operator.ts";
import { type Partner, partner } from "../harness/partner.ts";
import { type PartnerSite, partnerSite, SITE_REDIRECT_URIS } from "../harness/partner-site.ts";
import { mainStack } from "../harness/stacks.ts";

const BOTH = "responses:read sources:write";
const CONNECTED = "Fern & Field Garden";

const program = await chromiumProgram();
const stack = mainStack();
let browser: Browser;
let site: PartnerSite;
let app: Partner;
/** By the number of their shops. One of the first one's and the second one's shops is connected already. */
let merchants: Record<1 | 2 | 12, MerchantAccount>;

beforeAll(async () => {
  if (program === null) return console.warn(HOW_TO_GET_CHROMIUM);
  [browser, site] = await Promise.all([launchChromium(program), partnerSite()]);
  app = partner(stack, await onboardClient(stack, { redirectUris: SITE_REDIRECT_URIS, scope: BOTH }));
  const [one, two, twelve] = await Promise.all([1, 2, 12].map(() => onboardMerchant(stack)));
  if (!one || !two || !twelve) throw new Error("a merchant is missing");
  merchants = { 1: one, 2: two, 12: twelve };
  await shop(two, "Blue Cup Coffee", "standard");
  for (const owner of [one, two]) {
    const record = await shop(owner, CONNECTED, "advanced_attribution");
    await app.connect(merchantBrowser(owner), record, { scope: "responses:read", redirectUri: site.callback });
  }
  await twelveShops(twelve);
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

/** One process of the command line for each would take long. */
async function twelveShops({ email }: MerchantAccount): Promise<void> {
  const sql = postgres(stack.database_url, { max: 1, onnotice: () => {} });
  try {
    await sql`
      WITH made AS (
        INSERT INTO directory.shops (name, plan)
        SELECT 'Store ' || n, 'standard' FROM generate_series(1, 12) AS n RETURNING id
      )
      INSERT INTO directory.memberships (shop_id, merchant_id)
      SELECT made.id, m.id FROM made, directory.merchants m WHERE m.email = ${email}`;
  } finally {
    await sql.end();
  }
}

type Options = Parameters<Browser["newContext"]>[0];

async function onConsentPage(shops: 1 | 2 | 12, options: Options, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: "en", reducedMotion: "reduce", ...options });
  try {
    const page = await context.newPage();
    await page.goto(app.attempt({ scope: BOTH, redirectUri: site.callback }).url);
    await page.locator("input[type=email]").fill(merchants[shops].email);
    await page.locator("input[type=password]").fill(merchants[shops].password);
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    await page.waitForSelector(".decision");
    await look(page);
  } finally {
    await context.close();
  }
}

/** The upper and the lower edge of both buttons of the decision, in the window. */
async function decisionEdges(page: Page): Promise<{ top: number; bottom: number }> {
  const boxes = await Promise.all(["approve", "decline"].map((name) => page.locator(`[value=${name}]`).boundingBox()));
  const edges = boxes.flatMap((box) => (box ? [box.y, box.y + box.height] : []));
  expect(edges).toHaveLength(4);
  return { top: Math.min(...edges), bottom: Math.max(...edges) };
}

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

describe.skipIf(program === null)("the consent page [merchant-page.browser]", () => {
  test.each(
    WINDOWS.flatMap((viewport) =>
      ([1, 2, 12] as const).flatMap((shops) => ["en", "de"].map((locale) => ({ viewport, shops, locale }))),
    ),
  )(
    "has its decision in view, before any scrolling and while scrolling: $viewport.width × $viewport.height, $shops shop(s), $locale",
    async ({ viewport, shops, locale }) => {
      await onConsentPage(shops, { viewport, locale }, async (page) => {
        for (const part of [0, 0.5, 0.8]) {
          await page.evaluate(
            `scrollTo(0, ${part} * (document.querySelector("form.consent").offsetHeight - innerHeight))`,
          );
          const { top, bottom } = await decisionEdges(page);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(bottom).toBeLessThanOrEqual(viewport.height);
        }
      });
    },
  );

  test.each([1, 2] as const)(
    "needs no scrolling at all at 1280 × 800 with %i shop(s) and two scopes",
    async (shops) => {
      await onConsentPage(shops, { viewport: WINDOWS[0] }, async (page) => {
        expect(await page.evaluate("document.querySelector('main').getBoundingClientRect().bottom")).toBeLessThan(800);
      });
    },
  );

  test.each(["en", "de", "fr", "es"])("nothing scrolls sideways with text twice as large, %s", async (locale) => {
    for (const shops of [2, 12] as const) {
      await onConsentPage(shops, { locale }, async (page) => {
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        for (const width of [320, 390, 640, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
        }
      });
    }
  });

  test.each(["en", "de", "fr", "es"])("a pill takes no room from a shop's name at 320 pixels, %s", async (locale) => {
    await onConsentPage(2, { locale, viewport: { width: 320, height: 800 } }, async (page) => {
      const height = async () => (await page.getByText(CONNECTED, { exact: true }).boundingBox())?.height;
      expect(await page.locator(".shop .tag").count()).toBe(1);
      const withPill = await height();
      await page.evaluate("document.querySelector('.shop .tag').remove()");
      expect(withPill).toBe(await height());
    });
  });

  test("shows many shops a line each, and whole names", async () => {
    for (const viewport of WINDOWS) {
      await onConsentPage(12, { viewport }, async (page) => {
        const rows = (await page.evaluate(
          "[...document.querySelectorAll('.shop')].map((row) => row.getBoundingClientRect().height)",
        )) as number[];
        expect(rows).toHaveLength(12);
        expect(Math.max(...rows)).toBeLessThan(56);
        expect(Math.min(...rows)).toBeGreaterThanOrEqual(40);
      });
    }
  });

  test("a shop is found and approved without scripts", async () => {
    await onConsentPage(12, { javaScriptEnabled: false }, async (page) => {
      await page.getByLabel("Find a shop by name or domain").fill("store 12");
      await page.keyboard.press("Enter");
      await page.getByText("1 of 12 shops").waitFor();
      expect(await page.getByRole("radio").count()).toBe(1);
      await page.getByRole("radio", { name: "Store 12", exact: true }).check();
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      expect(new URL(page.url()).searchParams.has("code")).toBe(true);
    });
  });

  test("a shop that has the focus is not behind the decision", async () => {
    await onConsentPage(12, { viewport: WINDOWS[1] }, async (page) => {
      await page.getByRole("radio", { name: "Store 1", exact: true }).focus();
      for (let shops = 1; shops < 12; shops += 1) {
        await page.keyboard.press("ArrowDown");
        const focused = await page.locator("input:focus").boundingBox();
        const { top } = await decisionEdges(page);
        expect((focused?.y ?? top) + (focused?.height ?? 0)).toBeLessThan(top);
      }
    });
  });
});
