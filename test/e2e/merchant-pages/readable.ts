import type { Page } from "playwright-core";
import { expect } from "vitest";
import { overlaps, showWhole } from "../../harness/browser/overlaps.ts";
import { barriers, overflow, setTextSize, splitLabels } from "../../harness/browser/reader.ts";
import type { View } from "./views.ts";

/** The widest and the narrowest look at a page; loading axe takes most of the time. By day one of them, in turn. */
function isJudged({ width }: View, page: number): boolean {
  if (process.env["TEST_NIGHTLY"]) return width === 1280 || width === 320;
  return width === (page % 2 ? 320 : 1280);
}

/**
 * Shows the page so, in the language that it has, and judges it.
 *
 * @param number the page's in the list of all pages
 */
export async function expectReadable(page: Page, view: View, number: number): Promise<void> {
  const { colorScheme, textSize, width } = view;
  await page.emulateMedia({ colorScheme });
  await setTextSize(page, textSize);
  await page.setViewportSize({ width, height: 800 });
  expect({ view, ...(await overflow(page)) }).toEqual({ view, window: 0, texts: [] });
  expect(await splitLabels(page)).toEqual([]);
  if (isJudged(view, number)) expect({ view, barriers: await barriers(page) }).toEqual({ view, barriers: [] });
  await showWhole(page, width);
  expect({ view, overlaps: await overlaps(page) }).toEqual({ view, overlaps: [] });
}
