import { table } from "../../load/table.ts";
import { reportRow } from "../row.ts";
import type { Counts, Kind } from "./counts.ts";
import type { Killer } from "./killer.ts";
import type { MemoryLine } from "./memory.ts";
import type { OpenLoop } from "./open-loop.ts";
import type { Verdict } from "./verify.ts";
import type { Writers } from "./writers.ts";

const KINDS: readonly Kind[] = ["read", "refresh", "write"];

interface Progress {
  readonly counts: Counts;
  readonly load: OpenLoop;
  readonly killer: Killer;
  readonly began: number;
}

export function progressLine({ counts, load, killer, began }: Progress): string {
  const seconds = (performance.now() - began) / 1000;
  const minutes = (seconds / 60).toFixed(1).padStart(5);
  const repeated = KINDS.reduce((sum, kind) => sum + counts.repeated[kind], 0);
  return [
    `${minutes} min`,
    `${counts.requests} calls (${(counts.requests / seconds).toFixed(0)}/s, ${load.underWay} under way)`,
    `failed ${counts.failed}`,
    `repeated ${repeated}`,
    `p99 ${counts.recentLatency(99).toFixed(0)} ms`,
    `${killer.kills} kills, last ${killer.last ?? "none"}`,
  ].join(" · ");
}

export interface Summary {
  readonly counts: Counts;
  readonly memory: readonly MemoryLine[];
  readonly killer: Killer;
  readonly writers: Writers;
  readonly verdict: Verdict;
  readonly rate: number;
  readonly hours: number;
  readonly problems: readonly string[];
}

/** What a soak came to, as tables. */
export function summary({ counts, memory, killer, writers, verdict, rate, hours, problems }: Summary): string {
  reportRow({
    scenario: "soak, with replicas killed in turn",
    requests: counts.requests,
    failed: counts.failed,
    lost: verdict.lost,
    seconds: hours * 3600,
    note: `${rate.toFixed(0)}/s, ${killer.kills} kills`,
  });
  return [
    callsTable(counts),
    memoryTable(memory),
    [
      `replicas killed: ${killer.kills}; the slowest was ready again after ${killer.slowestReturn.toFixed(1)} s`,
      `imported: ${writers.imported} responses; recategorized: ${writers.recategorized}`,
      `connections that refresh and read at the end: ${verdict.intact}`,
      `acknowledged writes that are gone: ${verdict.lost} of ${verdict.checkedWrites}`,
      ...[...counts.failures].map(([what, count]) => `FAILED ${count} times: ${what}`),
      ...problems.map((problem) => `PROBLEM: ${problem}`),
    ].join("\n"),
  ].join("\n\n");
}

function callsTable(counts: Counts): string {
  const milliseconds = (kind: Kind, percentile: number) => counts.latency(kind, percentile).toFixed(1);
  return table(
    ["calls", "answered", "repeated after 503", "p50 ms", "p95 ms", "p99 ms", "p99.9 ms", "longest"],
    KINDS.map((kind) => [
      kind,
      String(counts.done[kind]),
      String(counts.repeated[kind]),
      ...[50, 95, 99, 99.9, 100].map((percentile) => milliseconds(kind, percentile)),
    ]),
  );
}

function memoryTable(lines: readonly MemoryLine[]): string {
  return table(
    ["memory, MB", "lives", "first", "last", "highest", "slope MB/hour"],
    lines.map(({ name, lives, first, last, highest, slope }) => [
      name,
      String(lives),
      ...[first, last, highest].map((size) => size.toFixed(1)),
      slope === null ? "too few samples" : slope.toFixed(1),
    ]),
  );
}
