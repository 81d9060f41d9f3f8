import type { Page } from "playwright-core";
import { expect } from "vitest";
import { overlaps, showWhole } from "../../harness/browser/overlaps.ts";
import { barriers, overflow, setTextSize, splitLabels } from "../../harness/browser/reader.ts";
import type { View } from "./views.ts";

/** Shows the page so, in the language that it has, and judges it. By night axe judges the widest and the narrowest alone, as loading it takes most of the time. */
export async function expectReadable(page: Page, view: View): Promise<void> {
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
