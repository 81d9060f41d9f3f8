import type { TimeRange } from "../../pagination/time-parameters.ts";
import type { TimeRanges } from "../parameters/time-filters.ts";

/** updated_at is never before inserted_at, so a filter on the one can be a bound on the other as well. */
export function impliedRange(column: keyof TimeRanges, ranges: TimeRanges): TimeRange {
  const { inserted_at: inserted, updated_at: updated } = ranges;
  return column === "updated_at"
    ? { min: tighter(Math.max, updated.min, inserted.min), max: updated.max }
    : { min: inserted.min, max: tighter(Math.min, inserted.max, updated.max) };
}

/** Of records that never changed: their two times are equal, so each filter holds for both. */
export function unchangedRange({ inserted_at: inserted, updated_at: updated }: TimeRanges): TimeRange {
  return { min: tighter(Math.max, updated.min, inserted.min), max: tighter(Math.min, updated.max, inserted.max) };
}

function tighter(pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : pick(a, b);
}
