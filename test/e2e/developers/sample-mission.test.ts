import { expect, test } from "vitest";
import { approve, signIn } from "../../harness/actors/sample-partner.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { startDev } from "../../harness/stack/dev.ts";

const MINUTE_MS = 60_000;

test(
  "with what `dev` prints alone, a newcomer sees a connected shop's responses in the browser",
  async () => {
    const dev = await startDev();
    try {
      const [, sample = ""] = /sample app (\S+):/.exec(dev.output) ?? [];
      const [, email = "", password = ""] = /(\S+@\S+) {3}(\S+)/.exec(dev.output) ?? [];
      const browser = await launchChromium();
      const page = await browser.newPage({ locale: "en" });
      await page.goto(sample);
      await page.getByRole("button", { name: "Connect your shop" }).click();
      await signIn(page, { email, password });
      await approve(page, { name: "Northwind Coffee" });
      const shown = page.getByText("3,000 responses");
      await page.getByRole("heading", { level: 1, name: "Northwind Coffee" }).waitFor();
      // The page waits for the first copy, for three seconds. A slower machine has it later.
      for (const end = Date.now() + MINUTE_MS; (await shown.count()) === 0; await page.reload()) {
        if (Date.now() > end) throw new Error(`not shown in time: ${await page.locator("main").textContent()}`);
      }
      expect(await page.locator("table.responses tbody tr").count()).toBe(25);
      await browser.close();
    } finally {
      expect(await dev.stop()).toBe(0);
    }
  },
  3 * MINUTE_MS,
);
