import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { barriers, overflow } from "../../harness/browser/reader.ts";
import { programsFolder } from "../../harness/developer-docs/programs.ts";
import { GUIDES, type Reading, readGuide } from "../../harness/developer-docs/read-guide.ts";
import { readerWorld } from "../../harness/developer-docs/reader-world.ts";
import { referenceGuide } from "../../harness/developer-docs/reference-samples.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { type Visit, visit } from "../merchant-pages/readable.ts";

const stack = mainStack();

/** `test/clients/libraries.nightly.test.ts` runs the programs of the guide to libraries. */
const READ = GUIDES.filter((guide) => guide !== "libraries");

test("every command and program in the guides and the reference succeeds and prints the output that the page shows", async () => {
  const [world, programs] = await Promise.all([readerWorld(stack), programsFolder(stack.base_url)]);
  onTestFinished(() => programs.remove());
  const readings: Reading[] = [];
  for (const guide of READ) readings.push(await readGuide(guide, world, programs));
  expect(readings.flatMap(({ outputs }) => outputs).length).toBeGreaterThan(20);
  expect(readings.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(15);
  // All languages share one shop, as each ends with the revocation. It must grant both scopes.
  const reader = { ...world, shop: world.advancedShop, shopOf: {} };
  const samples = await readGuide("samples", reader, programs, referenceGuide());
  expect([...readings, samples].flatMap(({ problems }) => problems)).toEqual([]);
  expect(samples.outputs.filter((output) => /["']error["']|^HTTP\S+ [45]/m.test(output))).toEqual(
    [],
  );
}, 300_000);

const isNightly = process.env["TEST_NIGHTLY"] !== undefined;
/** One guide, with the templates and stylesheet of all; in nightly runs every guide. */
const LOOKED_AT = isNightly
  ? GUIDES.map((name) => (name === "overview" ? "/docs" : `/docs/${name}`))
  : ["/docs/errors"];
const PAGES = [
  ...LOOKED_AT,
  "/docs/reference",
  "/docs/reference/listResponses",
  "/docs/reference/objects",
  "/docs/none",
];

const LIGHT = { colorScheme: "light", width: 1280 } as const;
const DARK = { colorScheme: "dark", width: 320 } as const;

/** These pages have every element, and stand for all in light mode and for code's colours. */
const STAND_FOR_ALL = isNightly ? ["/docs", "/docs/errors", "/docs/sync"] : [];

/** Searches, and the first words of the best page. */
const FOUND = Object.entries({ sandbox: "Test", "rotate secret": "Security", retry: "Errors" });

test("developer pages are small, self-contained, readable at 320 to 1600 pixels, and searchable", async () => {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ locale: "en", reducedMotion: "reduce" });
  // A context whose last page is closed starts a process for the next.
  await context.newPage();
  for (const path of PAGES) {
    let bytes = 0;
    const open = async (page: Visit["page"]) => {
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.setCacheDisabled", { cacheDisabled: true });
      session.on(
        "Network.loadingFinished",
        ({ encodedDataLength }) => (bytes += encodedDataLength),
      );
      await page.goto(`${stack.base_url}${path}`, { waitUntil: "networkidle" });
    };
    await visit(context, open, async ({ page, complaints, requested }) => {
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      expect(requested.filter((url) => !url.startsWith(`${stack.base_url}/`))).toEqual([]);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThan(300_000);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      const standsForAll = STAND_FOR_ALL.includes(path);
      for (const { colorScheme, width } of standsForAll ? [LIGHT, DARK] : [DARK]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const found = await barriers(page, standsForAll ? [] : ["pre"]);
        expect({ path, width, found }).toEqual({ path, width, found: [] });
      }
      for (const width of [320, 900, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        const { window, texts } = await overflow(page);
        // VitePress hides what only screen readers need in a box of one pixel.
        const shown = texts.filter((text) => !text.includes("visually-hidden"));
        expect({ path, width, window, shown }).toEqual({ path, width, window: 0, shown: [] });
      }
      if (path !== "/docs/errors") return;
      await page.getByRole("button", { name: "Search" }).first().click();
      for (const [words, title] of FOUND) {
        await page.getByRole("searchbox").fill(words);
        const first = page.getByRole("option").first();
        await expect.poll(() => first.textContent()).toContain(title);
      }
      await page.getByRole("searchbox").fill("cursor_expired");
      const found = page.getByRole("option", { name: /When a cursor is 410/ });
      await found.getByRole("link").click();
      await expect
        .poll(() => page.url())
        .toBe(`${stack.base_url}/docs/changes#when-a-cursor-is-410`);
    });
  }
}, 300_000);
