import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumProgram, HOW_TO_GET_CHROMIUM, launchChromium } from "../harness/chromium.ts";
import { SCENES, type Scene } from "../harness/merchant-scenes.ts";
import { CALLBACK, type MerchantWorld, merchantWorld } from "../harness/merchant-world.ts";
import { partner } from "../harness/partner.ts";
import { mainStack } from "../harness/stacks.ts";

const program = await chromiumProgram();
const stack = mainStack();
let browser: Browser;
let world: MerchantWorld;

beforeAll(async () => {
  if (program === null) return console.warn(HOW_TO_GET_CHROMIUM);
  [browser, world] = await Promise.all([launchChromium(program), merchantWorld(stack)]);
}, 120_000);
afterAll(() => browser?.close());

interface Visit {
  readonly page: Page;
  /** Everything that the browser asked for. */
  readonly requested: readonly string[];
  /** Bytes of the page itself, as they came over the wire. */
  size(): number;
}

async function visit(
  scene: Scene,
  options: Parameters<Browser["newContext"]>[0],
  look: (visit: Visit) => Promise<void>,
) {
  const context = await browser.newContext({ locale: "en", ...options });
  const page = await context.newPage();
  const requested: string[] = [];
  let size = 0;
  page.on("request", (request) => requested.push(request.url()));
  page.on("response", async (response) => {
    if (response.request().isNavigationRequest()) size = Number(response.headers()["content-length"] ?? size);
  });
  try {
    await scene.open({ page, stack, world });
    await look({ page, requested, size: () => size });
  } finally {
    await context.close();
  }
}

const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1280, 320].map((width) => ({ colorScheme, width })),
);

describe.skipIf(program === null)("every page [merchant-page.browser]", () => {
  test.each(SCENES)(
    "$name is small and asks nobody else; is readable for everybody in light and dark, at 320 and 1280 pixels",
    async (scene) => {
      // Colours that are still changing are no colours to judge.
      await visit(scene, { reducedMotion: "reduce" }, async ({ page, requested, size }) => {
        await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toMatch(scene.heading);
        expect(size()).toBeGreaterThan(0);
        expect(size()).toBeLessThanOrEqual(20_000);
        expect(await page.locator("script, style, [style], [onclick], iframe, object").count()).toBe(0);
        for (const { colorScheme, width } of LOOKS) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
        }
        expect(requested.filter((url) => !url.startsWith(`${stack.base_url}/oauth/`))).toEqual([]);
      });
    },
  );

  test("speaks German to those who read it, and fits 320 pixels then too", async () => {
    const context = await browser.newContext({ locale: "de-DE", viewport: { width: 320, height: 800 } });
    const page = await context.newPage();
    const look = async (heading: string) => {
      await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    };
    try {
      await page.goto(`${stack.base_url}/oauth/connections`);
      await look("Anmelden");
      await page.getByLabel("E-Mail").fill(world.ada.email);
      await page.getByLabel("Passwort").fill(world.ada.password);
      await page.getByRole("button", { name: "Anmelden" }).click();
      await look("Verbundene Apps");
      await page.getByRole("button", { name: "Trennen" }).first().click();
      await look("Lookout Analytics von Fern & Field trennen?");
      await page.goto(partner(stack, world.lookout).attempt({ redirectUri: CALLBACK }).url);
      await look("Lookout Analytics mit Ihrem Shop verbinden?");
    } finally {
      await context.close();
    }
  });

  test.each([1280, 768, 360])(
    "shows what an app may do as the widest column of Connected apps, at %i pixels",
    async (width) => {
      await visit(sceneNamed("connected-apps"), { viewport: { width, height: 800 } }, async ({ page }) => {
        const facts = "[...document.querySelector('.app dl').children]";
        const [may, ...others] = (await page.evaluate(
          `${facts}.map((fact) => { const { left, width } = fact.getBoundingClientRect(); return [left, width]; })`,
        )) as [left: number, width: number][];
        expect(others).toHaveLength(4);
        expect(may?.[1]).toBeGreaterThan(1.4 * Math.max(...others.map(([, width]) => width)));
        // The others stand in two columns: beside it, or, where there is little room, below.
        expect(new Set(others.map(([left]) => left)).size).toBe(2);
      });
    },
  );

  test("keeps still for those who asked for reduced motion", async () => {
    await visit(sceneNamed("sign-in"), { reducedMotion: "reduce" }, async ({ page }) => {
      const duration = "getComputedStyle(document.querySelector('button')).transitionDuration";
      expect(await page.evaluate(duration)).toBe("0s");
    });
  });

  test("prints what it says, without what can only be pressed", async () => {
    await visit(sceneNamed("connected-apps"), {}, async ({ page }) => {
      await page.emulateMedia({ media: "print" });
      expect(await page.getByText("Fern & Field").isVisible()).toBe(true);
      expect(await page.locator("button:visible").count()).toBe(0);
    });
  });

  test("stays readable with a reader's text twice as large", async () => {
    await visit(sceneNamed("consent"), { viewport: { width: 640, height: 800 } }, async ({ page }) => {
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    });
  });
});

function sceneNamed(name: string): Scene {
  const scene = SCENES.find((candidate) => candidate.name === name);
  if (!scene) throw new Error(`no scene '${name}'`);
  return scene;
}
