import { type GrowthStack, makeTable, startGrowthStack } from "./kept-stack.ts";
import { keepMeasured, type Measured } from "./measured.ts";
import { measureCombinations, measurePages } from "./pages.ts";
import { storedSizes } from "./stored.ts";
import { measureWrites } from "./writes.ts";

type Report = (line: string) => void;
type Step = (millions: number, report: Report) => Promise<void>;

/** Measures on a stack that was started for it. */
const on =
  (measure: (stack: GrowthStack) => Promise<Measured>): Step =>
  async (millions) => {
    const stack = await startGrowthStack(millions);
    try {
      await keepMeasured(millions, await measure(stack));
    } finally {
      await stack.stop();
    }
  };

/** In their order. Each takes two minutes at most, but `fill`, and can be run by itself once those before it have been. */
export const STEPS = {
  fill: makeTable,
  pages: on(async (stack) => ({
    pages: await measurePages(stack),
    stored: await storedSizes(stack.sql),
    combinations: await measureCombinations(stack),
  })),
  writes: on(async (stack) => ({ writes: await measureWrites(stack) })),
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;

export const isStep = (name: string): name is StepName => Object.hasOwn(STEPS, name);
