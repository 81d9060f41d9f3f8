import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { table } from "../load/table.ts";
import type { EngineSet } from "./engine-sets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What the tests came to on one set of engines. */
export interface Outcome {
  readonly engines: EngineSet;
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  /** Files and tests that were not run: what, and why. */
  readonly skipped: readonly string[];
  readonly failures: readonly string[];
  readonly seconds: number;
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages?: readonly string[];
  }[];
}

/** What vitest's JSON reporter wrote. A file that could not even be loaded is one failure. */
export function readResults(file: string): Pick<Outcome, "files" | "passed" | "failed" | "skipped" | "failures"> {
  const results = (JSON.parse(readFileSync(file, "utf8")) as { testResults: readonly FileResult[] }).testResults;
  const tests = results.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(ROOT, name).split(sep).join("/") })),
  );
  const whole = results.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failures = [
    ...whole.map(({ name, message = "" }) => `${relative(ROOT, name)}: as a whole: ${firstLine(message)}`),
    ...tests
      .filter(({ status }) => status === "failed")
      .map(({ file, fullName, failureMessages = [] }) => `${file}: ${fullName}: ${firstLine(failureMessages[0])}`),
  ];
  return {
    files: results.length,
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: failures.length,
    skipped: tests
      .filter(({ status }) => !["passed", "failed"].includes(status))
      .map(({ file, fullName }) => `${file}: ${fullName}`),
    failures,
  };
}

function firstLine(text = ""): string {
  return text.split("\n", 1)[0] ?? "";
}

export function outcomeTable(outcomes: readonly Outcome[]): string {
  const head = ["engines", "files", "passed", "failed", "skipped by name", "seconds"];
  const rows = outcomes.map(({ engines, files, passed, failed, skipped, seconds }) => [
    engines.title,
    ...[files, passed, failed, skipped.length].map((count) => count.toLocaleString("en")),
    seconds.toFixed(0),
  ]);
  return table(head, rows);
}
