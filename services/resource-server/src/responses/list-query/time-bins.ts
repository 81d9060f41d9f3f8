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
