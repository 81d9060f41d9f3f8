import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { table } from "../load/table.ts";

/** What a scenario of operations came to: a line of the table that `pnpm test:operations` prints. */
export interface Row {
  /** Such as 'rolling restart of all four replicas'. */
  readonly scenario: string;
  /** Calls that were made meanwhile, or things that were counted. */
  readonly requests: number;
  /** Answered otherwise than promised. A 503 that is promised is none; the note says how many there were. */
  readonly failed: number;
  /** Writes that had been acknowledged, and are gone. Absent where nothing is written. */
  readonly lost?: number;
  /** Answers that were untrue. Absent where that was not looked at. */
  readonly wrong?: number;
  readonly seconds?: number;
  readonly note?: string;
}

/** Adds the row to the run's table, and prints it. The scenario's own assertions decide whether it passes. */
export function reportRow(row: Row): void {
  const file = process.env["OPERATIONS_TABLE"];
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`);
  console.info(rowsTable([row]));
}

/** The rows that a run has reported into `file`. */
export function readRows(file: string): Row[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

export function rowsTable(rows: readonly Row[]): string {
  const head = ["scenario", "requests", "failed", "lost", "wrong", "seconds", "note"];
  const cells = rows.map(({ scenario, requests, failed, lost, wrong, seconds, note }) => [
    scenario,
    ...[requests, failed, lost, wrong].map((count) => count?.toLocaleString("en") ?? ""),
    seconds?.toFixed(1) ?? "",
    note ?? "",
  ]);
  return table(head, cells);
}

/** Of what `keepAsking` counted: how many calls there were, and how many ended in none of the `promised` outcomes. */
export function countCalls(
  loads: readonly Readonly<Record<string, number>>[],
  promised: readonly (number | string)[],
): { readonly requests: number; readonly failed: number } {
  const expected = promised.map(String);
  const counts = loads.flatMap((load) => Object.entries(load));
  const sum = (entries: typeof counts) => entries.reduce((total, [, count]) => total + count, 0);
  return { requests: sum(counts), failed: sum(counts.filter(([outcome]) => !expected.includes(outcome))) };
}
