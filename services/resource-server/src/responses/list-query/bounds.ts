import type { TimeRange, TimeRanges } from "../time-filters.ts";
import { ASCENDING, type Direction } from "./direction.ts";

/**
 * Where a walk along an index starts and where it ends, as far as a filter says so.
 *
 * A bound is a row `(time, '')`, compared with the index's key as a whole, which an index scan takes as it stands. No id is
 * empty, so `(r.inserted_at, r.id) > (min, '')` is `inserted_at >= min`; and times are whole milliseconds, so
 * `(r.inserted_at, r.id) < (max + 1 ms, '')` is `inserted_at <= max`.
 *
 * Of two bounds on one side only the tighter one may be emitted: Postgres would start at the one and filter by the other,
 * which reads everything that lies between them.
 */
export interface Bounds {
  readonly start: Bound | null;
  readonly end: Bound | null;
}

/** Both are SQL. */
export interface Bound {
  readonly time: string;
  readonly row: string;
}

/** @param bindTime the parameter that a time is bound to */
export function boundsOf({ min, max }: TimeRange, direction: Direction, bindTime: (at: number) => string): Bounds {
  const bound = (time: string): Bound => ({ time, row: `(${time}, '')` });
  const lower = min === null ? null : bound(bindTime(min));
  const upper = max === null ? null : bound(bindTime(max + 1));
  return direction === ASCENDING ? { start: lower, end: upper } : { start: upper, end: lower };
}

/** ` AND key > start AND key <= end` in the direction of the walk; a side without a bound is left out. */
export function between(
  { after, upTo }: Direction,
  key: string,
  start: string | undefined,
  end: string | undefined,
): string {
  return `${start ? ` AND ${key} ${after} ${start}` : ""}${end ? ` AND ${key} ${upTo} ${end}` : ""}`;
}

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
