import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/**
 * Asks until the answer is the expected one. A question that is asked `milliseconds` from now must get that answer, so that a
 * busy machine doesn't fail the test.
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
