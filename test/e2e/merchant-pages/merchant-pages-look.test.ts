import type { Browser, BrowserContext, Cookie, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { SCENES, type Scene } from "../../harness/browser/merchant-scenes.ts";
import { CALLBACK, type MerchantWorld, merchantWorld } from "../../harness/browser/merchant-world.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { expectGoodPage, type Visit, visit } from "./readable.ts";

const stack = mainStack();
let browser: Browser;
/** All pages that are in English at first. Another context, or one whose last page is closed, starts a process. */
let english: BrowserContext;
let world: MerchantWorld;
const sessions = new Map<string, Cookie[]>();

beforeAll(async () => {
  [browser, world] = await Promise.all([launchChromium(), merchantWorld(stack)]);
  english = await browser.newContext({ locale: "en" });
  await english.newPage();
}, 120_000);
afterAll(() => browser?.close());

/** Opens the scene in a new page. */
const show = (
  scene: Scene,
  media: NonNullable<Parameters<Page["emulateMedia"]>[0]>,
  look: (visit: Visit) => Promise<void>,
): Promise<void> =>
  visit(
    english,
    async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia(media);
      await scene.open({ page, stack, world, sessions });
    },
    look,
  );

describe("every page", () => {
  test.each(SCENES)(
    "$name is small and asks nobody else; is readable for everybody in each language, in light and dark, from 320 to 1280 pixels, with text twice as large too; no text stands over another one",
    async (scene) => {
      // Colours that are still changing are no colours to judge.
      await show(scene, { reducedMotion: "reduce" }, async (visit) => {
        await expect.poll(() => visit.page.getByRole("heading", { level: 1 }).textContent()).toMatch(scene.heading);
        await expectGoodPage(visit, SCENES.indexOf(scene), scene.hasScript ? 1 : 0);
        const isOurs = (url: string) => ["/oauth/", "/partner"].some((path) => url.startsWith(stack.base_url + path));
        // An approval leads to the partner.
        expect(visit.requested.filter((url) => !isOurs(url) && !url.startsWith(CALLBACK))).toEqual([]);
      });
    },
    120_000,
  );

  test("signing in begins in the email field; after a refusal in the password field", async () => {
    const focused = "document.activeElement.name";
    await show(sceneNamed("sign-in"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate(focused)).toBe("email");
    });
    await show(sceneNamed("sign-in-refused"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate(focused)).toBe("password");
    });
  });

  test("a refusal is in the title, and the problem has the focus where no field has it", async () => {
    await show(sceneNamed("consent-out-of-date"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("alert");
      expect(await page.title()).toBe("Error: Connect Lookout Analytics · Partner Connect");
    });
    await show(sceneNamed("change-password-refused"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("new_password");
      expect(await page.title()).toBe("Error: Change your password · Partner Connect");
    });
  });

  test("what is filled is filled without the pages' colours too", async () => {
    await show(sceneNamed("consent-only-shop"), { forcedColors: "active" }, async ({ page }) => {
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
