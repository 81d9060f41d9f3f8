import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { overlaps, showWhole } from "../../harness/browser/overlaps.ts";
import {
  barriers,
  isExpectedMessage,
  LANGUAGES,
  overflow,
  reloadIn,
  setTextSize,
  splitLabels,
} from "../../harness/browser/reader.ts";

const WIDTHS = [1280, 640, 390, 320] as const;
/** The browser's font size in pixels: default, and twice as large. */
const TEXT_SIZES = [16, 32] as const;
const COLOUR_SCHEMES = ["light", "dark"] as const;

interface View {
  readonly language: (typeof LANGUAGES)[number];
  readonly width: (typeof WIDTHS)[number];
  readonly textSize: (typeof TEXT_SIZES)[number];
  readonly colorScheme: (typeof COLOUR_SCHEMES)[number];
}

/** Every combination of the four properties, sorted by language. */
function allViews(): View[] {
  return LANGUAGES.flatMap((language) =>
    WIDTHS.flatMap((width) =>
      TEXT_SIZES.flatMap((textSize) =>
        COLOUR_SCHEMES.map((colorScheme) => ({ language, width, textSize, colorScheme })),
      ),
    ),
  );
}

/** The views of a page, which together cover each pair of values over all pages; by night all. */
function viewsOf(page: number): View[] {
  if (process.env["TEST_NIGHTLY"]) return allViews();
  return [
    {
      language: LANGUAGES[page % 4] ?? "en",
      width: WIDTHS[(page >> 2) % 4] ?? 320,
      textSize: TEXT_SIZES[(page + (page >> 2) + (page >> 4)) % 2] ?? 16,
      colorScheme: COLOUR_SCHEMES[((page >> 1) + (page >> 2) + (page >> 4)) % 2] ?? "light",
    },
  ];
}

/** Checks the page in this view. By night axe, slow to load, checks only two widths. */
async function expectReadable(page: Page, view: View): Promise<void> {
  const { colorScheme, textSize, width } = view;
  await page.emulateMedia({ colorScheme });
  await setTextSize(page, textSize);
  await page.setViewportSize({ width, height: 800 });
  expect({ view, ...(await overflow(page)) }).toEqual({ view, window: 0, texts: [] });
  expect(await splitLabels(page)).toEqual([]);
  if (!process.env["TEST_NIGHTLY"] || width === 1280 || width === 320)
    expect({ view, barriers: await barriers(page) }).toEqual({ view, barriers: [] });
  await showWhole(page, width);
  expect({ view, overlaps: await overlaps(page) }).toEqual({ view, overlaps: [] });
}

export interface Visit {
  readonly page: Page;
  readonly requested: readonly string[];
  /** Console messages, such as a violation of the content security policy. */
  readonly complaints: readonly string[];
  /** Bytes of the page itself, as they came over the wire. */
  size(): number;
}

/** A new page in the context, without former cookies. */
export async function visit(
  context: BrowserContext,
  open: (page: Page) => Promise<unknown>,
  look: (visit: Visit) => Promise<void>,
): Promise<void> {
  await context.clearCookies();
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  let size = 0;
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => {
    if (!isExpectedMessage(message)) complaints.push(message.text());
  });
  page.on("response", async (response) => {
    if (response.request().isNavigationRequest())
      size = Number(response.headers()["content-length"] ?? size);
  });
  try {
    await open(page);
    // A click waits only for the beginning of the next page.
    await page.waitForLoadState();
    await look({ page, requested, complaints, size: () => size });
  } finally {
    await page.close();
  }
}

/** Expects a small, readable page whose only script is ours. `index`: which of all pages it is. */
export async function expectGoodPage(
  { page, size, complaints }: Visit,
  index: number,
  scripts = 0,
): Promise<void> {
  expect(
    await page.locator("script:not([src]), style, [style], [onclick], iframe, object").count(),
  ).toBe(0);
  expect(await page.locator("script").count()).toBe(scripts);
  let shown = "en";
  for (const view of viewsOf(index)) {
    if (view.language !== shown) await reloadIn(page, view.language);
    shown = view.language;
    const isPartners = new URL(page.url()).pathname.startsWith("/partner");
    expect(await page.locator("html").getAttribute("lang")).toBe(isPartners ? "en" : shown);
    expect(size()).toBeGreaterThan(0);
    expect(size()).toBeLessThanOrEqual(60_000); // not compressed, because what it holds is private
    await expectReadable(page, view);
  }
  expect(complaints).toEqual([]);
}
