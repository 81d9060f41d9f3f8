import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ENGINE_SETS } from "./engine-sets.ts";
import { LEFT_OUT, whyLeftOut } from "./left-out.ts";
import { readResults } from "./outcome.ts";
import { testFiles } from "./test-files.ts";

test("a file that is left out of a cluster's run is there, and is run on plain stores", () => {
  const all = testFiles({ quick: false, names: [] });
  const left = LEFT_OUT.flatMap(({ files }) => files);
  expect(left.filter((file) => !all.includes(file))).toEqual([]);
  expect(new Set(left).size).toBe(left.length);
  const [plain, redis, citus, both] = ENGINE_SETS.map((set) => all.filter((file) => whyLeftOut(file, set) !== null));
  expect(plain).toEqual([]);
  expect(both).toEqual([...new Set([...(redis ?? []), ...(citus ?? [])])].sort());
});

test("the quick run has every file that it names, and none that is left out", () => {
  const quick = testFiles({ quick: true, names: [] });
  expect(quick).toContain("test/e2e/partner-job.test.ts");
  expect(quick.filter((file) => ENGINE_SETS.some((set) => whyLeftOut(file, set) !== null))).toEqual([]);
});

test("a file that could not be loaded is a failure, and a test that was left out is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-results-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const results = join(folder, "results.json");
  const one = (status: string, fullName: string) => ({ status, fullName, failureMessages: ["Error: no\n  at x"] });
  const file = (name: string) => resolve(import.meta.dirname, "../..", name);
  await writeFile(
    results,
    JSON.stringify({
      testResults: [
        { name: file("test/a.test.ts"), status: "failed", message: "SyntaxError: x\n  at y", assertionResults: [] },
        {
          name: file("test/b.test.ts"),
          status: "failed",
          assertionResults: [one("passed", "is"), one("failed", "is not"), one("skipped", "may be")],
        },
      ],
    }),
  );
  expect(readResults(results)).toEqual({
    files: 2,
    passed: 1,
    failed: 2,
    skipped: ["test/b.test.ts: may be"],
    failures: ["test/a.test.ts: as a whole: SyntaxError: x", "test/b.test.ts: is not: Error: no"],
  });
});
