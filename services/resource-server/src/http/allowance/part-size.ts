/** A part is used for so many milliseconds. What is unused then is given back. */
export const PART_MS = 1000;

/** So many calls of a caller in a window are counted one by one at each replica. Their answers tell exactly how many are left. */
const COUNTED_ONE_BY_ONE = 32;

/**
 * How many calls to hold beside those that wait: as many as the caller makes here in the life of a part, at the pace since
 * the last question; and a quarter of those that it has made here in this window at most.
 */
export function partSize(callsInWindow: number, callsSinceAsked: number, msSinceAsked: number): number {
  if (callsInWindow < COUNTED_ONE_BY_ONE) return 0;
  const pace = callsSinceAsked / Math.max(msSinceAsked, 1);
  return Math.floor(Math.min(pace * PART_MS, callsInWindow / 4));
}
