import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOwnStack } from "../../harness/stack/stacks.ts";

test("the services start without a warning: their logs are JSON records, none above the level info", async () => {
  const stack = await startOwnStack({ env: { NOTIFIER_REPLICAS: "1" } });
  try {
    const folder = join(stack.now.dataDir, "logs");
    const files = (await readdir(folder)).filter((name) => /^((authorization|resource)-server|notifier)-/.test(name));
    expect(files.length).toBe(Object.keys(stack.internalUrls).length);
    for (const file of files) {
      const lines = (await readFile(join(folder, file), "utf8")).split("\n").filter((line) => line !== "");
      expect(lines.filter((line) => !line.startsWith("{") || JSON.parse(line).level > 30)).toEqual([]);
    }
  } finally {
    await stack.stop();
  }
});
