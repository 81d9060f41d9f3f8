import type { Page } from "playwright-core";

/** Makes the window as high as the page, so that what is fixed to its bottom is at the end. */
export async function showWhole(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 720 });
  // The room above the page grows a little with the window.
  for (const _ of [1, 2]) {
    const height = (await page.evaluate("document.documentElement.scrollHeight")) as number;
    await page.setViewportSize({ width, height });
  }
}

/** Texts that overlap, in pairs. The middle half of a line counts, and nothing that is clipped. */
export async function overlaps(page: Page): Promise<string[][]> {
  return await page.evaluate(`(() => {
    const shownPart = (rect, element) => {
      let { left, right } = rect;
      let top = rect.top + rect.height / 4;
      let bottom = rect.bottom - rect.height / 4;
      for (let box = element; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflowY === "visible") continue;
        const edge = box.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      return { left: left + 1, right: right - 1, top, bottom };
    };
    const lines = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      if (!node.data.trim() || !node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = shownPart(rect, node.parentElement);
        if (box.right > box.left && box.bottom > box.top) lines.push({ node, ...box });
      }
    }
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return lines.flatMap((a, index) =>
      lines.slice(index + 1).filter((b) => a.node !== b.node && meet(a, b)).map((b) => [a.node.data.trim(), b.node.data.trim()]),
    );
  })()`);
}
