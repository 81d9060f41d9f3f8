import type { TimeRange } from "./list-parameters.ts";

/**
 * Changed responses are indexed by bins of the one time, and within a bin by the other: see the indexes
 * responses_changed_* in packages/database. A bin is 28 days from the origin on.
 */
export const BIN_SQL = (column: string): string => `date_bin('28 days', ${column}, timestamptz '2000-01-03T00:00:00Z')`;

const WIDTH = 28 * 86_400_000;
const ORIGIN = Date.UTC(2000, 0, 3);

/** Where the bin of `time` begins. Milliseconds. */
export function binOf(time: number): number {
  return ORIGIN + Math.floor((time - ORIGIN) / WIDTH) * WIDTH;
}

/** How many bins a statement can be written for, so that there are few statements. The most spans five years. */
const COUNTS = [2, 8, 64] as const;

/**
 * For how many bins a statement over `range` is written. Without a lower bound nobody knows how far back the data
 * goes; above, it ends now. Where there are more bins than that the statement is right as well, only slower.
 */
export function binCount({ min, max }: TimeRange, now: number): number {
  const needed = min === null ? Number.POSITIVE_INFINITY : (binOf(Math.min(max ?? now, now)) - binOf(min)) / WIDTH + 1;
  return COUNTS.find((count) => count >= needed) ?? COUNTS[COUNTS.length - 1] ?? 1;
}
