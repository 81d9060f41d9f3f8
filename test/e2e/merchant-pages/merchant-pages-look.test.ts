import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { SCENES as MERCHANT_SCENES, type Scene } from "../../harness/browser/merchant-scenes.ts";
import { CALLBACK, type MerchantWorld, merchantWorld } from "../../harness/browser/merchant-world.ts";
import { PARTNER_SCENES } from "../../harness/browser/partner-scenes.ts";
import { isOfTest, readIn } from "../../harness/browser/reader.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { expectReadable } from "./readable.ts";
import { viewsOf } from "./views.ts";

const SCENES = [...MERCHANT_SCENES, ...PARTNER_SCENES];

const stack = mainStack();
let browser: Browser;
/** All pages that are in English at first. Another context, or one whose last page is closed, starts a process. */
let english: BrowserContext;
let world: MerchantWorld;

beforeAll(async () => {
  [browser, world] = await Promise.all([launchChromium(), merchantWorld(stack)]);
  english = await browser.newContext({ locale: "en" });
  await english.newPage();
}, 120_000);
afterAll(() => browser?.close());

interface Visit {
  readonly page: Page;
  /** Everything that the browser asked for. */
  readonly requested: readonly string[];
  /** What the browser says to the author of the page, such as a violation of its policy. */
  readonly complaints: readonly string[];
  /** Bytes of the page itself, as they came over the wire. */
  size(): number;
}

interface Reader extends NonNullable<Parameters<Page["emulateMedia"]>[0]> {
  /** Default: 1280. */
  readonly width?: number;
}

/** Opens the scene in a page of its own, without cookies of others. */
async function visit(
  scene: Scene,
  { width = 1280, ...media }: Reader,
  look: (visit: Visit) => Promise<void>,
  context = english,
) {
  await context.clearCookies();
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia(media);
  const requested: string[] = [];
  const complaints: string[] = [];
  let size = 0;
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => {
    if (!isOfTest(message)) complaints.push(message.text());
  });
  page.on("response", async (response) => {
    if (response.request().isNavigationRequest()) size = Number(response.headers()["content-length"] ?? size);
  });
  try {
    await scene.open({ page, stack, world });
    // A click waits for the beginning of the next page alone.
    await page.waitForLoadState();
    await look({ page, requested, complaints, size: () => size });
  } finally {
    await page.close();
  }
}

describe("every page", () => {
  test.each(SCENES)(
    "$name is small and asks nobody else; is readable for everybody in each language, in light and dark, from 320 to 1280 pixels, with text twice as large too; no text stands over another one",
    async (scene) => {
      // Colours that are still changing are no colours to judge.
      await visit(scene, { reducedMotion: "reduce" }, async ({ page, requested, complaints, size }) => {
        await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toMatch(scene.heading);
        expect(await page.locator("script:not([src]), style, [style], [onclick], iframe, object").count()).toBe(0);
        expect(await page.locator("script").count()).toBe(scene.hasScript ? 1 : 0);
        let shown = "en";
        for (const view of viewsOf(SCENES.indexOf(scene))) {
          if (view.language !== shown) await readIn(page, view.language);
          shown = view.language;
          expect(await page.locator("html").getAttribute("lang")).toBe(shown);
          expect(size()).toBeGreaterThan(0);
          expect(size()).toBeLessThanOrEqual(20_000);
          await expectReadable(page, view);
        }
        expect(complaints).toEqual([]);
        const isOurs = (url: string) => ["/oauth/", "/partner"].some((path) => url.startsWith(stack.base_url + path));
        // An approval leads to the partner.
        expect(requested.filter((url) => !isOurs(url) && !url.startsWith(CALLBACK))).toEqual([]);
      });
    },
    120_000,
  );

  test("signing in begins in the email field; after a refusal in the password field", async () => {
    const focused = "document.activeElement.name";
    await visit(sceneNamed("sign-in"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate(focused)).toBe("email");
    });
    await visit(sceneNamed("sign-in-refused"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate(focused)).toBe("password");
    });
  });

  test("a refusal is in the title, and the problem has the focus where no field has it", async () => {
    await visit(sceneNamed("consent-out-of-date"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("alert");
      expect(await page.title()).toBe("Error: Connect Lookout Analytics · Partner Connect");
    });
    await visit(sceneNamed("change-password-refused"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("new_password");
      expect(await page.title()).toBe("Error: Change your password · Partner Connect");
    });
  });

  test("what is filled is filled without the pages' colours too", async () => {
    await visit(sceneNamed("consent-only-shop"), { forcedColors: "active" }, async ({ page }) => {
      const grounds =
        "[...document.querySelectorAll('.decision button')].map((each) => getComputedStyle(each).backgroundColor)";
      expect(new Set((await page.evaluate(grounds)) as string[]).size).toBe(2);
    });
  });
});

function sceneNamed(name: string): Scene {
  const scene = SCENES.find((candidate) => candidate.name === name);
  if (!scene) throw new Error(`no scene '${name}'`);
  return scene;
}
