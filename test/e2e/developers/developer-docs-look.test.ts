import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { barriers, overflow } from "../../harness/browser/reader.ts";
import { GUIDES } from "../../harness/developer-docs/read-guide.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let browser: Browser;
/** Shared by all pages: another context, or one whose last page is closed, starts a process. */
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchChromium();
  context = await browser.newContext({ locale: "en", reducedMotion: "reduce" });
  await context.newPage();
});
afterAll(() => browser?.close());

const isNightly = process.env["TEST_NIGHTLY"] !== undefined;
/** By day one guide, whose templates and stylesheet are those of all; by night every guide. */
const READ = isNightly ? GUIDES.map((name) => (name === "overview" ? "/docs" : `/docs/${name}`)) : ["/docs/errors"];
const PATHS = [...READ, "/docs/reference", "/docs/reference/listResponses", "/docs/reference/objects", "/docs/none"];

const LIGHT = { colorScheme: "light", width: 1280 } as const;
const DARK = { colorScheme: "dark", width: 320 } as const;

/** A few pages, which have everything between them, stand for all in light, and for the colours of code, whose words take axe most of its time. */
const STAND_FOR_ALL = isNightly ? ["/docs", "/docs/errors", "/docs/sync"] : [];

/** A page, with what it transferred. */
async function visit(path: string, look: (page: Page, transferred: () => number) => Promise<void>): Promise<void> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const requested: string[] = [];
  let bytes = 0;
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("request", (request) => requested.push(request.url()));
  try {
    await page.goto(`${stack.base_url}${path}`, { waitUntil: "networkidle" });
    await look(page, () => bytes);
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(`${stack.base_url}/docs`))).toEqual([]);
  } finally {
    await page.close();
  }
}

describe("every page for developers", () => {
  test.each(PATHS)(
    "%s asks nobody else, transfers less than 300 KB, and is readable for everybody, in light and dark, from 320 to 1600 pixels",
    async (path) => {
      await visit(path, async (page, transferred) => {
        expect(transferred()).toBeGreaterThan(50_000);
        expect(transferred()).toBeLessThan(300_000);
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
        const standsForAll = STAND_FOR_ALL.includes(path);
        for (const { colorScheme, width } of standsForAll ? [LIGHT, DARK] : [DARK]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          const found = await barriers(page, standsForAll ? [] : ["pre"]);
          expect({ width, barriers: found }).toEqual({ width, barriers: [] });
        }
        for (const width of [320, 900, 1600]) {
          await page.setViewportSize({ width, height: 800 });
          const { window, texts } = await overflow(page);
          // VitePress hides what only screen readers need in a box of one pixel.
          const shown = texts.filter((text) => !text.includes("visually-hidden"));
          expect({ width, window, shown }).toEqual({ width, window: 0, shown: [] });
        }
      });
    },
  );

  test("a search finds the section that explains an error", async () => {
    await visit("/docs", async (page) => {
      await page.getByRole("button", { name: "Search" }).first().click();
      await page.getByRole("searchbox").fill("cursor_expired");
      const found = page.getByRole("option", { name: /When a cursor is 410/ });
      await found.getByRole("link").click();
      await expect.poll(() => page.url()).toBe(`${stack.base_url}/docs/changes#when-a-cursor-is-410`);
    });
  });
});
