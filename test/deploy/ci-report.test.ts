import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

/** What ends `.ci/run`: the counts, and one rerun of each failed test file. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ci-report-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const passes = ["node", "-e", "process.exit(0)"];
const fails = ["node", "-e", "process.exit(1)"];

/** Runs the report on one suite: `tests` are the outcomes of the tests in the file `some.test.ts`. */
function report(tests: readonly string[], options: { rerun?: string[]; exit?: number; output?: string } = {}) {
  const assertionResults = tests.map((status, index) => ({
    status,
    fullName: `test ${index}`,
    failureMessages: ["no"],
  }));
  const failed = tests.includes("failed");
  writeFileSync(
    join(folder, "tests.json"),
    JSON.stringify({
      testResults: [{ name: "some.test.ts", status: failed ? "failed" : "passed", assertionResults }],
      numPassedTests: tests.filter((status) => status === "passed").length,
      numPendingTests: 0,
      numTodoTests: 0,
    }),
  );
  writeFileSync(join(folder, "output"), options.output ?? "");
  const suites = [
    { name: "test", exit: options.exit ?? (failed ? 1 : 0), reports: { "tests.json": options.rerun ?? passes } },
  ];
  const args = [".ci/report.ts", folder, join(folder, "output"), "0", JSON.stringify(suites)];
  const run = spawnSync("node", args, { encoding: "utf8" });
  return { status: run.status, lines: run.stdout.trim().split("\n") };
}

test("a run without a failure is green", () => {
  expect(report(["passed", "passed"])).toEqual({ status: 0, lines: ["2 passed, 0 failed"] });
});

test("a failed file that passes alone is reported as flaky, and the run is green", () => {
  const { status, lines } = report(["passed", "failed"]);
  expect(status).toBe(0);
  expect(lines.slice(-2)).toEqual(["flaky: some.test.ts: test 1", "2 passed, 0 failed"]);
});

test("a file that fails twice fails the run", () => {
  const { status, lines } = report(["passed", "failed", "failed"], { rerun: fails });
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe("1 passed, 2 failed");
  expect(lines.join("\n")).not.toContain("flaky:");
});

test("an error that no test waited for reruns the file that was running", () => {
  const output = 'This error originated in "test/other.test.ts" test file.';
  const { status, lines } = report(["passed"], { exit: 1, output });
  expect(status).toBe(0);
  expect(lines.slice(-2)).toEqual(["flaky: test/other.test.ts: an unhandled error", "2 passed, 0 failed"]);
});

test("a run that ends with an error although no test failed is red", () => {
  const { status, lines } = report(["passed"], { exit: 124 });
  expect(status).toBe(1);
  expect(lines).toEqual(["failed: test ended with 124, although no test failed", "1 passed, 1 failed"]);
});

test("a run in which no test passed is red", () => {
  expect(report([])).toEqual({ status: 1, lines: ["failed: no test passed", "0 passed, 1 failed"] });
});
