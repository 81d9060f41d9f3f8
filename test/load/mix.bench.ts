import { type BenchStack, startBenchStack } from "./list/bench-stack.ts";
import { FULL, QUICK } from "./list/data-set.ts";
import { type MixRound, startMix } from "./mix/loads.ts";
import { mixReport } from "./mix/report.ts";
import { needPrograms } from "./program.ts";

const PLANS = { quick: { size: QUICK, rounds: 3, seconds: 2 }, full: { size: FULL, rounds: 7, seconds: 8 } };

export interface MixOptions {
  readonly quick: boolean;
  /** Folders of other checkouts: their resource servers are measured beside this one's, on the same stores. */
  readonly against: readonly string[];
}

/** What production asks, over plain TCP and over TLS. */
export async function benchMix({ quick, against }: MixOptions): Promise<void> {
  const report = (line: string): void => console.error(line);
  await needPrograms(["pgbench", "wrk"], report);
  const stack = await startBenchStack((quick ? PLANS.quick : PLANS.full).size, report);
  try {
    console.log(`\n${await measureMix(stack, { quick, against }, report)}\n`);
  } finally {
    await stack.stop();
  }
}

/** @returns the report */
export async function measureMix(
  stack: BenchStack,
  { quick, against }: MixOptions,
  report: (line: string) => void,
): Promise<string> {
  const { rounds, seconds } = quick ? PLANS.quick : PLANS.full;
  const mix = await startMix(stack, against);
  const measured: MixRound[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      report(round === 0 ? "the mix: warming up" : `the mix: round ${round} of ${rounds}`);
      const one = await mix.round(round === 0 ? 1 : seconds);
      if (round > 0) measured.push(one);
    }
  } finally {
    await mix.stop();
  }
  return mixReport(mix, measured, seconds);
}
