import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/**
 * Prints the outcome of `.ci/run` and sets its exit code. Reruns each failed test file once, alone:
 * a file that passes is reported as `flaky: FILE: TEST NAME`, a file that fails again fails the
 * run.
 *
 * Usage: `report.ts RESULTS_FOLDER OUTPUT_FILE FAILED_CHECKS SUITES`. SUITES is a JSON array of
 * `Suite`. The results folder has a vitest JSON report for each run of a suite; the output file is
 * what the runs printed.
 */
interface Suite {
  readonly name: string;
  readonly exit: number;
  /**
   * The suite's reports: names of files in the results folder, each with the command that reruns a
   * test file of it.
   */
  readonly reports: Readonly<Record<string, readonly string[]>>;
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages?: readonly string[];
  }[];
}

interface Report {
  readonly testResults: readonly TestFile[];
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

interface Failure {
  readonly file: string;
  readonly test: string;
  readonly messages: readonly string[];
}

/** More failed files than this are not a chance failure: nothing is rerun. */
const MOST_RERUNS = 8;
/** With the runs before, eight reruns stay well within an hour and a half. */
const RERUN_TIMEOUT_MS = 300_000;

const [resultsFolder = "", outputFile = "", failedChecks = "0", suitesJson = "[]"] =
  process.argv.slice(2);
const suites = JSON.parse(suitesJson) as Suite[];
const output = existsSync(outputFile) ? readFileSync(outputFile, "utf8") : "";

let passed = 0;
let skipped = 0;
let failed = Number(failedChecks);
const failures: Failure[] = [];
const reruns = new Map<string, readonly string[]>();

for (const { name, exit, reports } of suites) {
  const before = failures.length;
  for (const [reportName, command] of Object.entries(reports)) {
    const path = join(resultsFolder, reportName);
    if (!existsSync(path)) continue;
    const report = JSON.parse(readFileSync(path, "utf8")) as Report;
    passed += report.numPassedTests;
    skipped += report.numPendingTests + report.numTodoTests;
    const found = report.testResults.flatMap(failuresOf);
    failures.push(...found);
    for (const { file } of found) reruns.set(`${reportName} ${file}`, [...command, file]);
  }
  if (exit === 0 || failures.length > before) continue;
  // An error that no test waited for fails a run without a failed test; vitest names the file that
  // was running.
  const [first] = Object.values(reports);
  const unhandled = [...output.matchAll(/This error originated in "([^"]+)" test file/g)].map(
    ([, file = ""]) => file,
  );
  for (const file of new Set(unhandled)) {
    failures.push({ file, test: "an unhandled error", messages: [] });
    reruns.set(`${name} ${file}`, [...(first ?? []), file]);
  }
  if (unhandled.length > 0) continue;
  console.log(`failed: ${name} ended with ${exit}, although no test failed`);
  failed += 1;
}
if (passed === 0) {
  console.log("failed: no test passed");
  failed += 1;
}

for (const { file, test, messages } of failures.slice(0, 20)) {
  console.log(`failed: ${file}\n  ${test}`);
  console.log(ownLines(messages.join("\n")).join("\n"));
}

const flaky: string[] = [];
const isRerun = reruns.size <= MOST_RERUNS;
if (!isRerun) console.log(`${reruns.size} failed test files: none is rerun`);
for (const [key, command] of reruns) {
  const file = command.at(-1) ?? "";
  const names = [
    ...new Set(
      failures.filter((failure) => key.endsWith(` ${failure.file}`)).map(({ test }) => test),
    ),
  ];
  if (isRerun && rerunPasses(command)) {
    flaky.push(...names.map((test) => `flaky: ${file}: ${test}`));
    passed += names.length;
  } else {
    failed += names.length;
  }
}
for (const line of flaky) console.log(line);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;

/** The failed tests of a file; one failure for a file that could not be loaded. */
function failuresOf({ name, status, message = "", assertionResults }: TestFile): Failure[] {
  const file = relative(process.cwd(), name);
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (tests.length === 0)
    return status === "failed" ? [{ file, test: "the whole file", messages: [message] }] : [];
  return tests.map(({ fullName, failureMessages = [] }) => ({
    file,
    test: fullName,
    messages: failureMessages,
  }));
}

function rerunPasses([program = "", ...args]: readonly string[]): boolean {
  console.log(`== rerun: ${args.at(-1)}`);
  const run = spawnSync(program, args, { stdio: "inherit", timeout: RERUN_TIMEOUT_MS });
  return run.status === 0;
}

/** The first lines of an error without colours and without the frames of dependencies. */
function ownLines(text: string): string[] {
  const lines = stripVTControlCharacters(text).split("\n");
  const own = lines.filter(
    (line) => !line.includes("/node_modules/") && !line.includes("new Promise (<anonymous>)"),
  );
  return own.slice(0, 20).map((line) => `    ${line.slice(0, 300)}`);
}
