import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeData } from "@partner-connect/local-stack/testing";
import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { approve, signIn } from "../../harness/browser/merchant-page.ts";
import { runStores } from "../../harness/stack/stacks.ts";
import { ROOT } from "../../tiers.ts";

const MINUTE_MS = 60_000;

/**
 * `pnpm dev` with demo data, on the stores of the run: what it prints, up to the last of the demo
 * credentials.
 */
async function startDev() {
  const [dataDir, stores] = await Promise.all([
    mkdtemp(join(tmpdir(), "partner-connect-dev-")),
    runStores(),
  ]);
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [`${ROOT}packages/local-stack/src/main.ts`], {
    env: { PATH, HOME, ...stores.env, DATA_DIR: dataDir, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGINT");
    await ended;
    await stores.drop();
    await removeData(dataDir);
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk));
  await expect
    .poll(() => child.exitCode !== null || /^ready [\s\S]*API key/m.test(output), {
      timeout: MINUTE_MS,
    })
    .toBe(true);
  return { child, ended, output };
}

test(
  "with what `dev` prints alone, a newcomer sees a connected shop's responses in the browser; Ctrl-C ends it with 0",
  async () => {
    const { child, ended, output } = await startDev();
    const [, sample = ""] = /sample app (\S+):/.exec(output) ?? [];
    const [, email = "", password = ""] = /(\S+@\S+) {3}(\S+)/.exec(output) ?? [];
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ locale: "en" });
    await page.goto(sample);
    await page.getByRole("button", { name: "Connect your shop" }).click();
    await signIn(page, { email, password });
    await approve(page, { name: "Northwind Coffee" });
    const shown = page.getByText("3,000 responses");
    await page.getByRole("heading", { level: 1, name: "Northwind Coffee" }).waitFor();
    // The page waits for the first copy, for three seconds. A slower machine has it later.
    for (const end = Date.now() + MINUTE_MS; (await shown.count()) === 0; await page.reload()) {
      if (Date.now() > end)
        throw new Error(`not shown in time: ${await page.locator("main").textContent()}`);
    }
    expect(await page.locator("table.responses tbody tr").count()).toBe(25);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
  },
  3 * MINUTE_MS,
);
