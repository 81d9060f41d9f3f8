import { expect, test } from "vitest";
import { LEAST_TAKEN, Pace } from "./stalled-sockets.ts";

const LOOKS = 60;

/** The longest row of looks without pace, for a caller who takes `taken` bytes before each look. */
function longestRow(taken: number): number {
  const pace = new Pace();
  const rows = Array.from({ length: LOOKS }, (_, i) => pace.looksWithout((i + 1) * taken, 10 * LEAST_TAKEN));
  return Math.max(...rows);
}

test("a caller who takes less than a megabyte in all the looks keeps no pace, be it some bytes before each", () => {
  expect([0, 1, LEAST_TAKEN / (LOOKS + 1)].map(longestRow)).toEqual([LOOKS, LOOKS, LOOKS]);
});

test("one who takes a megabyte, or all there is, keeps it", () => {
  expect([LEAST_TAKEN / LOOKS, LEAST_TAKEN].map(longestRow)).toEqual([LOOKS - 1, 0]);
  const pace = new Pace();
  expect([pace.looksWithout(10, 5), pace.looksWithout(15, 0)]).toEqual([1, 0]);
  expect([pace.looksWithout(16, 5), pace.looksWithout(16, 5)]).toEqual([1, 2]);
});
