import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalStack } from "@partner-connect/local-stack";
import type { Browser } from "playwright-core";
import UPNG from "upng-js";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { SCENES } from "../../harness/browser/merchant-scenes.ts";
import { type MerchantWorld, merchantWorld } from "../../harness/browser/merchant-world.ts";
import { showWhole } from "../../harness/browser/overlaps.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";

const FOLDER = new URL("./screenshots/", import.meta.url);

/** The colours of a page don't depend on its width, so there is one dark screenshot per page. */
const VIEWS = [
  ["light", 1280],
  ["light", 320],
  ["dark", 1280],
] as const;

/** `pnpm screenshots`: every page, light and dark, wide and narrow, from a separate stack. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-screenshots-"));
  // Without mail, like the stack of the tests.
  const env = {
    ...{ AUTHORIZE_RATE_LIMIT: "10000", TOKEN_RATE_LIMIT: "10000", MAIL_FROM: "" },
    ...{ PRIVACY_URL: "https://fern.example/privacy", TERMS_URL: "https://fern.example/terms" },
    SUPPORT_URL: "https://fern.example/support",
  };
  const stack = await startLocalStack({ dataDir, env });
  const browser = await launchChromium();
  try {
    const underTest = { ...stack.state, dataDir };
    const world = await merchantWorld(underTest, "");
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER);
    await photograph(browser, underTest, world);
  } finally {
    await browser.close();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function photograph(browser: Browser, stack: StackUnderTest, world: MerchantWorld) {
  for (const scene of SCENES) {
    const context = await browser.newContext({ locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    await scene.open({ page, stack, world });
    for (const [colorScheme, width] of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await showWhole(page, width);
      const name = `${scene.name}-${colorScheme}-${width}.png`;
      await writeFile(new URL(name, FOLDER), smallPng(await page.screenshot({ fullPage: true })));
      process.stdout.write(`${name}\n`);
    }
    await context.close();
  }
}

/** The image with at most 256 colours, which makes it a third as large. */
function smallPng(png: Buffer): Buffer {
  const image = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 256));
}

await main();
