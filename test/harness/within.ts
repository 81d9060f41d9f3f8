import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/**
 * Asks again and again until the answer is the expected one. What is asked after so many milliseconds from now must be
 * answered so, however busy the machine is.
 */
export async function expectWithin<Value>(
  milliseconds: number,
  ask: () => Promise<Value>,
  expected: NoInfer<Value>,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const isLast = Date.now() >= deadline;
    const answer = await ask();
    if (isDeepStrictEqual(answer, expected)) return;
    if (isLast) expect(answer).toEqual(expected);
    await sleep(20);
  }
}
