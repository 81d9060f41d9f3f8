import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Result } from "axe-core";
import type { ConsoleMessage, Page } from "playwright-core";

/** axe, minified: half the text of the package's main file, so half the CPU to load. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const LANGUAGES = ["en", "de", "fr", "es"] as const;

/** True for messages that tests cause: a refusal's status, a missing icon, an early focus. */
export function isExpectedMessage(message: ConsoleMessage): boolean {
  return /^Failed to load resource|^Autofocus processing was blocked because a document already has a focused/.test(
    message.text(),
  );
}

/** Reloads the page in another language, as the footer's link does. A form is sent again. */
export async function reloadIn(page: Page, language: (typeof LANGUAGES)[number]): Promise<void> {
  const { origin } = new URL(page.url());
  await page.context().addCookies([{ name: "merchant_language", value: language, url: origin }]);
  await page.reload();
}

/** Sets the browser's text size, in pixels. The default is 16. */
export async function setTextSize(page: Page, pixels: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: pixels } });
  await session.detach();
}

/** Pixels by which the page is wider than the window, and texts wider than their box. */
export async function overflow(page: Page): Promise<{ window: number; texts: string[] }> {
  return await page.evaluate(`({
    window: document.documentElement.scrollWidth - innerWidth,
    texts: [...document.body.querySelectorAll("*")]
      .filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map((element) => element.outerHTML.slice(0, 200)),
  })`);
}

/** Buttons whose label has several parts, each of which would be on a separate line. */
export async function splitLabels(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll("button, .button")]
    .filter(({ childNodes }) => [...childNodes].filter((node) => node.textContent.trim()).length > 1)
    .filter((element) => getComputedStyle(element).display.endsWith("grid"))
    .map((element) => element.outerHTML)`);
}

/** axe's violations on the page, each with its elements. `leftOut`: parts not to check. */
export async function barriers(page: Page, leftOut: readonly string[] = []) {
  // Loading axe takes ten times as long as running it, so load it once for each page.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // All rules run, but only violations list their elements, which takes most of the time.
  const violations = await page.evaluate<Pick<Result, "id" | "nodes">[]>(
    `axe.run({ exclude: ${JSON.stringify(leftOut)} }, { resultTypes: ["violations"], selectors: false, rules: { "target-size": { enabled: true } } })
      .then(({ violations }) => violations)`,
  );
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
}
