import type { TestProject } from "vitest/node";
import { NO_LIMITS, startOwnStack } from "./running-stack.ts";

/** Starts the stack that the files of a run share. They find it by `mainStack`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { local: _, stop, ...stack } = await startOwnStack(NO_LIMITS);
  project.provide("mainStack", stack);
  return stop;
}
