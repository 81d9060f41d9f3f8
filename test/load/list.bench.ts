import { startBenchStack } from "./list/bench-stack.ts";
import { everyCombination } from "./list/combinations.ts";
import { FULL, QUICK } from "./list/data-set.ts";
import { depthRatio, walks } from "./list/depth.ts";
import { startNaivePeer } from "./list/naive-peer.ts";
import { listReport, type Round } from "./list/report.ts";
import { throughputRound } from "./list/throughput.ts";
import { copyShop, walkShop } from "./list/walk.ts";
import { measureMix } from "./mix.bench.ts";
import { needPrograms } from "./program.ts";

const PLANS = {
  quick: { size: QUICK, rounds: 3, seconds: 2, asked: 60, draws: 4 },
  full: { size: FULL, rounds: 7, seconds: 8, asked: 150, draws: 25 },
};

/**
 * The list of responses against the bare page query in pgbench, a naive peer and COPY, on a data set that is made once and
 * kept: the mix that production asks, and one caller without a limit. What is compared runs in turns, in the same rounds.
 */
export async function benchList({ quick }: { quick: boolean }): Promise<void> {
  const report = (line: string): void => console.error(line);
  const { size, seconds, ...plan } = quick ? PLANS.quick : PLANS.full;
  await needPrograms(["pgbench", "psql", "wrk"], report);
  const stack = await startBenchStack(size, report);
  let stopPeer = (): void => {};
  try {
    console.log(`\n${await measureMix(stack, { quick, against: [] }, report)}\n`);
    const peer = await startNaivePeer(stack, stack.databaseUrl);
    stopPeer = peer.stop;
    const shopWalks = await walks(stack);
    const rounds: Round[] = [];
    for (let round = 0; round <= plan.rounds; round++) {
      report(round === 0 ? "one caller: warming up" : `one caller: round ${round} of ${plan.rounds}`);
      const load = await throughputRound(stack, peer, round === 0 ? 1 : seconds);
      const copied = await copyShop(stack);
      const walked = await walkShop(stack);
      const depths: Record<string, number> = {};
      for (const walk of shopWalks) depths[walk.name] = await depthRatio(stack, walk, plan.asked);
      if (round > 0) rounds.push({ seconds, load, copied, walked, depths });
    }
    report("every combination");
    const combinations = await everyCombination(stack, plan.draws);
    console.log(`\n${listReport({ size, rounds, combinations })}\n`);
  } finally {
    stopPeer();
    await stack.stop();
  }
}
