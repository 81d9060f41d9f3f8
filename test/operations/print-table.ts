import { globSync } from "node:fs";
import { readRows, rowsTable } from "./row.ts";

/** Prints the rows of a run, and the names of the scenarios that left none. */
export function printTable(file: string): void {
  const rows = readRows(file);
  console.log(rows.length > 0 ? `\n${rowsTable(rows)}\n` : "\nno scenario was run\n");
}

/** The scenarios that the ordinary test run leaves out. */
export function nightlyScenarios(): string[] {
  return globSync("**/*.nightly.test.ts", { cwd: import.meta.dirname });
}

// `.ci/run` prints the table of its test run by this file.
const [, program, file] = process.argv;
if (program === import.meta.filename && file) {
  printTable(file);
  const slow = nightlyScenarios();
  if (slow.length > 0) console.log(`not in this run, but in 'pnpm test:operations': ${slow.join(", ")}`);
}
