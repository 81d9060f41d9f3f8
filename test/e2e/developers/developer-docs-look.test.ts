import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { barriers, overflow, setTextSize } from "../../harness/browser/reader.ts";
import { GUIDES } from "../../harness/developer-docs/read-guide.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let browser: Browser;
/** Of all pages: another one, or one whose last page is closed, starts a process. */
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchChromium();
  context = await browser.newContext({ locale: "en", reducedMotion: "reduce" });
  await context.newPage();
});
afterAll(() => browser?.close());

const LOOKS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

async function visit(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("request", (request) => requested.push(request.url()));
  try {
    await page.goto(`${stack.base_url}${path}`);
    await look(page);
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
    expect(requested.filter((url) => !/\/docs(\/|$|#)/.test(url))).toEqual([]);
  } finally {
    await page.close();
  }
}

describe("every page for developers", () => {
  test.each([
    ...GUIDES.map((name) => (name ? `/docs/${name}` : "/docs")),
    "/docs/reference",
    "/docs/reference/listResponses",
    "/docs/search?q=invalid_grant",
    "/docs/changelog",
    "/docs/none",
  ])(
    "%s asks nobody else, runs our one script or none, and is readable for everybody, in light and dark, from 320 to 1600 pixels",
    async (path) => {
      await visit(path, async (page) => {
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
        expect(
          await page
            .locator("script:not([src^='/docs/assets/copy-']), style, [style], [onclick], iframe, object")
            .count(),
        ).toBe(0);
        // All have one stylesheet and one frame: a few pages, which have everything between them, stand for all in light.
        const looks = ["/docs", "/docs/errors", "/docs/sync"].includes(path) ? LOOKS : LOOKS.slice(1);
        for (const { colorScheme, width } of looks) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          expect({ width, barriers: await barriers(page) }).toEqual({ width, barriers: [] });
        }
        for (const [width, textSize] of [
          [320, 16],
          [900, 16],
          [1600, 16],
          [320, 32],
        ] as const) {
          await setTextSize(page, textSize);
          await page.setViewportSize({ width, height: 800 });
          expect({ width, textSize, ...(await overflow(page)) }).toEqual({ width, textSize, window: 0, texts: [] });
        }
      });
    },
  );

  test("a reader gets from page to page, to a section, and on a phone to the list of all pages", async () => {
    await visit("/docs", async (page) => {
      await page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Errors" }).click();
      await page
        .getByRole("navigation", { name: "On this page" })
        .getByRole("link", { name: "Token endpoint" })
        .click();
      await expect.poll(() => page.url()).toBe(`${stack.base_url}/docs/errors#token-endpoint`);
      await page.getByRole("link", { name: /^Next/ }).click();
      await expect.poll(() => page.title()).toBe("Rate limits · Partner Connect");
      await page.setViewportSize({ width: 360, height: 700 });
      await page.getByText("Menu", { exact: true }).click();
      await page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Overview" }).click();
      await expect.poll(() => page.url()).toBe(`${stack.base_url}/docs`);
    });
  });

  test("programs are shown in the language that the reader chooses, and a button copies one", async () => {
    await visit("/docs/sync", async (page) => {
      const [typescript, python] = [page.getByText("import { DatabaseSync }"), page.getByText("import sqlite3")];
      expect([await typescript.isVisible(), await python.isVisible()]).toEqual([true, false]);
      await page.getByLabel("Python").check();
      expect([await typescript.isVisible(), await python.isVisible()]).toEqual([false, true]);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const program = page.locator("figure", { has: python });
      await program.getByRole("button", { name: "Copy" }).click();
      await program.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe((await python.textContent())?.trimEnd());
    });
  });
});
