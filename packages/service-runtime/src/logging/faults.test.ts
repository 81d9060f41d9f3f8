import { expect, test } from "vitest";
import { isDefect } from "./faults.ts";

test("what only a mistake in code throws is a defect", () => {
  const thrown = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const mistakes = [() => (null as unknown as { x: 1 }).x, () => JSON.parse("{"), () => "x".repeat(-1)];
  expect(mistakes.map((run) => isDefect(thrown(run)))).toEqual([true, true, true]);
});
