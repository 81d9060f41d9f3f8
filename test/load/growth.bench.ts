import { isFilled, removeTable } from "./growth/kept-stack.ts";
import { readMeasured } from "./growth/measured.ts";
import { growthReport } from "./growth/report.ts";
import { STEPS, type StepName } from "./growth/steps.ts";

export interface GrowthOptions {
  /** Millions of responses in the table. */
  readonly sizes: readonly number[];
  readonly steps: readonly StepName[];
  /** Keeps the tables, so that other steps can be run on them. */
  readonly keep: boolean;
}

/** How costs grow with the table: pages, writes and sizes at several sizes, vacuumed and not, warm and cold. */
export async function benchGrowth({ sizes, steps, keep }: GrowthOptions): Promise<void> {
  const report = (line: string): void => console.error(line);
  for (const millions of sizes) {
    for (const step of steps) {
      if (step === "fill" && (await isFilled(millions))) continue;
      report(`${millions} M: ${step}`);
      const began = performance.now();
      await STEPS[step](millions, (line) => report(`  ${line}`));
      report(`  ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    if (!keep) await removeTable(millions);
  }
  const measured = await Promise.all(
    sizes.map(async (millions) => ({ millions, measured: await readMeasured(millions) })),
  );
  console.log(`\n${growthReport(measured)}\n`);
}
