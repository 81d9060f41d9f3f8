import type { BrowserContext, Cookie, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import type { MerchantAccount } from "../../harness/actors/onboarding.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { openConsentPage, SCENES, type Scene } from "../../harness/browser/merchant-scenes.ts";
import { CALLBACK, merchantWorld } from "../../harness/browser/merchant-world.ts";
import { type LANGUAGES, reloadIn, setTextSize } from "../../harness/browser/reader.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { expectGoodPage, type Visit, visit } from "./readable.ts";

const stack = mainStack();
const sessions = new Map<string, Cookie[]>();

const [browser, world] = await Promise.all([launchChromium(), merchantWorld(stack)]);
/** For all pages that begin in English, because another context would start another process. */
const english = await browser.newContext({ locale: "en" });
await english.newPage();
afterAll(() => browser.close());

type Media = NonNullable<Parameters<Page["emulateMedia"]>[0]>;

const show = (
  open: Scene["open"],
  look: (visit: Visit) => Promise<void>,
  media: Media = {},
  context = english,
): Promise<void> =>
  visit(
    context,
    async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia(media);
      await open({ page, stack, world, sessions });
    },
    look,
  );

const isOfPartner = ({ name }: Scene) => name.startsWith("partner");

test.each([
  ["merchants", SCENES.filter((scene) => !isOfPartner(scene))],
  ["partners", SCENES.filter(isOfPartner)],
])(
  "every page for %s is small, loads only from our host, and is readable in each language, colour scheme and size",
  async (_, scenes) => {
    for (const scene of scenes) {
      const look = async (visit: Visit) => {
        await expect
          .poll(() => visit.page.getByRole("heading", { level: 1 }).textContent())
          .toMatch(scene.heading);
        await expectGoodPage(visit, SCENES.indexOf(scene), scene.hasScript ? 1 : 0);
        const isOurs = (url: string) =>
          ["/oauth/", "/partner", "/help"].some((path) => url.startsWith(stack.base_url + path));
        // An approval leads to the partner.
        expect(visit.requested.filter((url) => !isOurs(url) && !url.startsWith(CALLBACK))).toEqual(
          [],
        );
      };
      // Wait for colour transitions to end.
      await show(scene.open, look, { reducedMotion: "reduce" }).catch((cause) => {
        throw new Error(`${scene.name}: ${cause.message}`, { cause });
      });
    }
  },
  600_000,
);

test("a form focuses its first field, and after a refusal the wrong field or the error, with 'Error' in the page title", async () => {
  const focused = "document.activeElement.role ?? document.activeElement.name";
  for (const [name, focus, title] of [
    ["sign-in", "email", "Sign in · Partner Connect"],
    ["sign-in-refused", "password", "Error: Sign in · Partner Connect"],
    ["consent-out-of-date", "alert", "Error: Connect Lookout Analytics · Partner Connect"],
    ["change-password-refused", "new_password", "Error: Change password · Partner Connect"],
  ]) {
    const { open } = SCENES.find((scene) => scene.name === name) ?? expect.fail(name);
    await show(open, async ({ page }) => {
      await expect
        .poll(async () => [await page.evaluate(focused), await page.title()])
        .toEqual([focus, title]);
    });
  }
});

test.each([
  ["sign-in", "Show password", 1],
  ["change-password-refused", "Show passwords", 3],
])("the page %s has a button '%s' that shows and hides passwords", async (name, label, all) => {
  const { open } = SCENES.find((scene) => scene.name === name) ?? expect.fail();
  await show(open, async ({ page }) => {
    for (const hidden of [all, 0, all]) {
      expect(await page.locator("[type=password]").count()).toBe(hidden);
      const pressed = { name: label, exact: true, pressed: hidden === 0 };
      await page.getByRole("button", pressed).click();
    }
  });
});

test("in forced colours, Approve and Decline have different backgrounds", async () => {
  const grounds =
    "[...document.querySelectorAll('.decision button')].map((each) => getComputedStyle(each).backgroundColor)";
  await onConsentPage(
    world.grace,
    async (page) => expect(new Set((await page.evaluate(grounds)) as string[]).size).toBe(2),
    { media: { forcedColors: "active" } },
  );
});

test("the account's menu fits a small phone even with text twice as large", async () => {
  const look = async (page: Page) => {
    await setTextSize(page, 32);
    await page.locator(".top summary").click();
    const menu = await page.locator(".menu").boundingBox();
    expect(menu?.x).toBeGreaterThanOrEqual(0);
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(320);
  };
  await onConsentPage(world.grace, look, { viewport: { width: 320, height: 800 } });
});

/** A measure of elements on a scene's page, in pixels. */
async function measures(
  name: string,
  selector: string,
  side: "x" | "y" | "width" | "height",
  width = 1280,
) {
  const { open } = SCENES.find((scene) => scene.name === name) ?? expect.fail(name);
  let found: unknown;
  const look = async ({ page }: Visit) => {
    await page.setViewportSize({ width, height: 800 });
    const measure = `Math.round(each.getBoundingClientRect().${side})`;
    found = await page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => ${measure})`,
    );
  };
  await show(open, look);
  return found as number[];
}

test("the brand, the card and the tabs keep their positions from page to page", async () => {
  expect(await measures("sign-in", ".product *", "x")).toEqual(
    await measures("consent-only-shop", ".product *", "x"),
  );
  expect(await measures("sign-in", ".card", "y")).toEqual(
    await measures("consent-only-shop", ".card", "y"),
  );
  expect(await measures("partner-errors", ".sections a", "x")).toEqual(
    await measures("partner-settings", ".sections a", "x"),
  );
});

test.each([
  ["consent-only-shop", ".decision button", "width", 1280],
  ["disconnect", "main .actions > *", "width", 1280],
  ["connected-apps-many", ".rows > li:not(:last-child)", "height", 320],
  ["partner-connections", "tbody > tr:not(:last-child)", "height", 1280],
] as const)("on the page %s, all %s have the same %s", async (name, selector, side, width) => {
  const found = await measures(name, selector, side, width);
  expect([found.length > 1, new Set(found).size]).toEqual([true, 1]);
});

test("in a narrow window a button's label is on one line", async () => {
  const heights = await measures("reset-password-ended", "main .actions > *", "height", 320);
  expect(heights).toEqual([44, 44]);
});

test("in a narrow window, copy buttons are at least 36 pixels high", async () => {
  const heights = await measures("partner-settings", "[data-copy]", "height", 320);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
});

interface Options {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly language?: (typeof LANGUAGES)[number];
  readonly media?: Media;
  readonly context?: BrowserContext;
}

/** Shows the consent page to a merchant with one, three or forty shops. */
async function onConsentPage(
  merchant: MerchantAccount,
  look: (page: Page) => Promise<void>,
  options: Options = {},
) {
  const { viewport, language, media = { reducedMotion: "reduce" }, context } = options;
  await show(
    async (stage) => {
      if (viewport) await stage.page.setViewportSize(viewport);
      await openConsentPage(stage, merchant);
      if (language) await reloadIn(stage.page, language);
    },
    ({ page }) => look(page),
    media,
    context,
  );
}

/** The upper and the lower edge of both buttons of the decision, in the window. */
async function decisionEdges(page: Page): Promise<{ top: number; bottom: number }> {
  const boxes = await Promise.all(
    ["approve", "decline"].map((name) => page.locator(`[value=${name}]`).boundingBox()),
  );
  const edges = boxes.flatMap((box) => (box ? [box.y, box.y + box.height] : []));
  expect(edges).toHaveLength(4);
  return { top: Math.min(...edges), bottom: Math.max(...edges) };
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

test("the consent page keeps its buttons in view while scrolling, and on a phone the first shop above the buttons", async () => {
  for (const [viewport, merchant, language] of [
    [DESKTOP, world.grace, "en"],
    [DESKTOP, world.chain, "fr"],
    [PHONE, world.ada, "de"],
    [PHONE, world.chain, "es"],
  ] as const) {
    await onConsentPage(
      merchant,
      async (page) => {
        const bar = await page.locator(".decision").boundingBox();
        if (viewport === PHONE) {
          const shop = await page.locator(".shop").first().boundingBox();
          expect((shop?.y ?? 0) + (shop?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
        }
        for (const part of [0, 0.5, 0.8]) {
          const end = "document.querySelector('form.consent').offsetHeight - innerHeight";
          await page.evaluate(`scrollTo(0, ${part} * (${end}))`);
          const { top, bottom } = await decisionEdges(page);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(bottom).toBeLessThanOrEqual(viewport.height);
        }
      },
      { viewport, language },
    );
  }
});

test("without scripts, the consent page shows effect, name and missing permission only for the chosen shop", async () => {
  const context = await browser.newContext({ locale: "en", javaScriptEnabled: false });
  const look = async (page: Page) => {
    const shown = page.locator(":is(.effect, .for, .by-shop):visible");
    const source = "Add attribution sources";
    const does = `${source}\nSources that customers can name in your survey, such as podcasts.\n`;
    expect(await shown.allTextContents()).toEqual([does, "Choose a shop."]);
    await page.getByRole("radio", { name: "Blue Cup Coffee", exact: true }).check();
    expect(await shown.allTextContents()).toEqual([
      `${source}Not included. Requires the Advanced attribution plan.`,
      "For Blue Cup Coffee",
    ]);
    await page.getByRole("radio", { name: "Fern & Field", exact: true }).check();
    expect(await shown.allTextContents()).toEqual([
      ` New permission: ${source}.`,
      does,
      "For Fern & Field",
    ]);
  };
  await onConsentPage(world.ada, look, { viewport: PHONE, context });
  await context.close();
});

test("Approve and Decline never cover the shop that has the focus", async () => {
  const look = async (page: Page) => {
    await page.getByRole("radio", { name: "Atelier Dubois Bristol", exact: true }).focus();
    for (let shops = 1; shops < 40; shops += 1) {
      await page.keyboard.press("ArrowDown");
      const focused = await page.locator("input:focus").boundingBox();
      const { top } = await decisionEdges(page);
      expect((focused?.y ?? top) + (focused?.height ?? 0)).toBeLessThan(top);
    }
    expect(await page.locator(".for:visible").textContent()).toBe("For Northwind Outlet Sevilla");
  };
  await onConsentPage(world.chain, look, { viewport: PHONE });
});
