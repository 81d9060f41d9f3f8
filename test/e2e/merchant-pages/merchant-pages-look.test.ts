import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { SCENES, type Scene } from "../../harness/browser/merchant-scenes.ts";
import { type MerchantWorld, merchantWorld } from "../../harness/browser/merchant-world.ts";
import { overlaps, showWhole } from "../../harness/browser/overlaps.ts";
import { barriers, LANGUAGES, LOOKS, overflow, readIn, setTextSize } from "../../harness/browser/reader.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let browser: Browser;
let world: MerchantWorld;

beforeAll(async () => {
  [browser, world] = await Promise.all([launchChromium(), merchantWorld(stack)]);
}, 120_000);
afterAll(() => browser?.close());

interface Visit {
  readonly page: Page;
  /** Everything that the browser asked for. */
  readonly requested: readonly string[];
  /** What the browser says to whoever wrote the page, such as that a password manager can't make sense of a form. */
  readonly complaints: readonly string[];
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
  const complaints: string[] = [];
  let size = 0;
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => {
    // That a page is a refusal is no fault of the page.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  page.on("response", async (response) => {
    if (response.request().isNavigationRequest()) size = Number(response.headers()["content-length"] ?? size);
  });
  try {
    await scene.open({ page, stack, world });
    await look({ page, requested, complaints, size: () => size });
  } finally {
    await context.close();
  }
}

/**
 * Whether axe looks at a page in this language. Languages differ in their texts alone, and loading axe takes most of the time: so
 * each page is judged in English and in one of the others, in turn. ALL_LOOKS=1 judges each in all.
 */
function isJudgedIn(language: (typeof LANGUAGES)[number], scene: Scene): boolean {
  const [, ...others] = LANGUAGES;
  return language === "en" || Boolean(process.env["ALL_LOOKS"]) || language === others[SCENES.indexOf(scene) % 3];
}

/** Nothing is wider than its place: at these widths of the window, with this text size. */
async function expectToFit(page: Page, where: object, { widths, textSize }: { widths: number[]; textSize: number }) {
  await setTextSize(page, textSize);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const at = { ...where, width, textSize };
    expect({ ...at, ...(await overflow(page)) }).toEqual({ ...at, window: 0, texts: [] });
  }
}

/** The widths of small phones and of usual ones. */
const PHONES = [320, 390];

describe("every page [merchant-page.browser]", () => {
  test.each(SCENES)(
    "$name is small and asks nobody else; is readable for everybody in each language, in light and dark, at 320 and 1280 pixels, with text twice as large too; on phones no text stands over another one [merchant-page.overlap]",
    async (scene) => {
      // Colours that are still changing are no colours to judge.
      await visit(scene, { reducedMotion: "reduce" }, async ({ page, requested, complaints, size }) => {
        await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toMatch(scene.heading);
        expect(await page.locator("script, style, [style], [onclick], iframe, object").count()).toBe(0);
        for (const language of LANGUAGES) {
          if (language !== "en") await readIn(page, language);
          expect(await page.locator("html").getAttribute("lang")).toBe(language);
          expect(size()).toBeGreaterThan(0);
          expect(size()).toBeLessThanOrEqual(20_000);
          for (const { colorScheme, width } of isJudgedIn(language, scene) ? LOOKS : []) {
            await page.emulateMedia({ colorScheme });
            await page.setViewportSize({ width, height: 800 });
            const look = { language, colorScheme, width };
            expect({ ...look, barriers: await barriers(page) }).toEqual({ ...look, barriers: [] });
          }
          await expectToFit(page, { language }, { widths: [1280, 320], textSize: 16 });
          await expectToFit(page, { language }, { widths: [1280, 640, 320], textSize: 32 });
          await setTextSize(page, 16);
          for (const width of PHONES) {
            await showWhole(page, width);
            expect({ language, width, overlaps: await overlaps(page) }).toEqual({ language, width, overlaps: [] });
          }
        }
        expect(complaints).toEqual([]);
        expect(requested.filter((url) => !url.startsWith(`${stack.base_url}/oauth/`))).toEqual([]);
      });
    },
    60_000,
  );

  test("speaks the browser's language until the reader chooses another one, on the same page", async () => {
    await visit(sceneNamed("sign-in"), { locale: "de-DE" }, async ({ page }) => {
      const title = page.getByRole("heading", { level: 1 });
      await expect.poll(() => title.textContent()).toBe("Anmelden");
      const { href } = new URL(page.url());
      await page.getByRole("button", { name: "Français" }).click();
      await expect.poll(() => title.textContent()).toBe("Se connecter");
      expect(page.url()).toBe(href);
      await page.getByLabel("Adresse e-mail").fill(world.ada.email);
      await page.getByLabel("Mot de passe").fill(world.ada.password);
      await page.getByRole("button", { name: "Se connecter" }).click();
      await expect.poll(() => title.textContent()).toBe("Relier Lookout Analytics à votre boutique\u00a0?");
    });
  });

  test("signing in begins in the email field; after a refusal in the password field", async () => {
    const focused = "document.activeElement.name";
    await visit(sceneNamed("sign-in"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate(focused)).toBe("email");
    });
    await visit(sceneNamed("sign-in-refused"), {}, async ({ page }) => {
      await expect.poll(() => page.evaluate(focused)).toBe("password");
    });
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
});

function sceneNamed(name: string): Scene {
  const scene = SCENES.find((candidate) => candidate.name === name);
  if (!scene) throw new Error(`no scene '${name}'`);
  return scene;
}
