import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";

/** The last step of `.ci/run`: it prints the counts and reruns each failed test file once. */

let folder: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
});

const passes = ["node", "-e", "process.exit(0)"];
const fails = ["node", "-e", "process.exit(1)"];

/** Runs the report on one suite: `tests` are the outcomes in the file `some.test.ts`. */
function report(
  tests: readonly string[],
  options: { rerun?: string[]; exit?: number; output?: string } = {},
) {
  const assertionResults = tests.map((status, index) => ({
    status,
    fullName: `test ${index}`,
    failureMessages: ["no"],
  }));
  const failed = tests.includes("failed");
  writeFileSync(
    join(folder, "tests.json"),
    JSON.stringify({
      testResults: [
        { name: "some.test.ts", status: failed ? "failed" : "passed", assertionResults },
      ],
      numPassedTests: tests.filter((status) => status === "passed").length,
      numPendingTests: 0,
      numTodoTests: 0,
    }),
  );
  writeFileSync(join(folder, "output"), options.output ?? "");
  const suites = [
    {
      name: "test",
      exit: options.exit ?? (failed ? 1 : 0),
      reports: { "tests.json": options.rerun ?? passes },
    },
  ];
  const args = [".ci/report.ts", folder, join(folder, "output"), "0", JSON.stringify(suites)];
  const run = spawnSync("node", args, { encoding: "utf8" });
  return { status: run.status, lines: run.stdout.trim().split("\n") };
}

const LOST = 'This error originated in "test/other.test.ts" test file.';
const FLAKY = "flaky: some.test.ts: test 1";
const UNHANDLED = "flaky: test/other.test.ts: an unhandled error";

test.each<[string, Parameters<typeof report>, number, string[]]>([
  ["without a failure is green", [["passed", "passed"]], 0, ["2 passed, 0 failed"]],
  [
    "whose failed file passes on its rerun is green and reports the test as flaky",
    [["passed", "failed"]],
    0,
    [FLAKY, "2 passed, 0 failed"],
  ],
  [
    "whose file fails twice is red",
    [["passed", "failed", "failed"], { rerun: fails }],
    1,
    ["1 passed, 2 failed"],
  ],
  [
    "with an unhandled error is green if the file that caused the error passes on its rerun",
    [["passed"], { exit: 1, output: LOST }],
    0,
    [UNHANDLED, "2 passed, 0 failed"],
  ],
  [
    "that exits with an error code although no test failed is red",
    [["passed"], { exit: 124 }],
    1,
    ["failed: test ended with 124, although no test failed", "1 passed, 1 failed"],
  ],
  ["in which no test passed is red", [[]], 1, ["failed: no test passed", "0 passed, 1 failed"]],
])("a run of tests %s", (_, run, exit, last) => {
  const { status, lines } = report(...run);
  expect([status, lines.slice(-last.length)]).toEqual([exit, last]);
  expect(lines.filter((line) => line.startsWith("flaky:"))).toEqual(
    last.filter((line) => line.startsWith("flaky:")),
  );
});
