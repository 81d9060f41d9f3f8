import type { TimeRange } from "./time-parameters.ts";

/**
 * The direction in which a walk reads an index, as SQL says it: that of the sort. With `ending_before` it is the opposite, away from the
 * cursor, so that LIMIT keeps the records next to it; the page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** Between a key and the start of the walk, which is excluded: `(r.inserted_at, r.id) > start`. */
  readonly after: ">" | "<";
  /** Between a key and the end of the walk, which is included: `(r.inserted_at, r.id) <= end`. */
  readonly upTo: "<=" | ">=";
}

export const ASCENDING: Direction = { order: "ASC", after: ">", upTo: "<=" };
export const DESCENDING: Direction = { order: "DESC", after: "<", upTo: ">=" };

export function opposite(direction: Direction): Direction {
  return direction === ASCENDING ? DESCENDING : ASCENDING;
}

/** `ORDER BY r.inserted_at DESC, r.id DESC`: an index on (shop_id, inserted_at, id) has this order either way. `time`: column or alias. */
export function orderBy({ order }: Direction, time: string): string {
  return `ORDER BY ${time} ${order}, r.id ${order}`;
}

/**
 * Where a walk along an index starts and ends, as far as a filter says so. A bound is a row `(time, '')`, compared with the index's key as
 * a whole: no id is empty and times are whole milliseconds, so `(r.inserted_at, r.id) < (max + 1 ms, '')` is `inserted_at <= max`. Of two
 * bounds on one side only the tighter may be emitted: Postgres would start at one and read everything up to the other.
 */
export interface Bounds {
  readonly start: Bound | null;
  readonly end: Bound | null;
}

interface Bound {
  readonly time: string;
  readonly row: string;
}

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

/** The cursor's `position`, or the bound where that lies further in the direction. */
export function positionOr({ after }: Direction, bound: Bound | null): string {
  if (!bound) return "(SELECT at, id FROM position)";
  const isFurther = `(at, id) ${after} ${bound.row}`;
  return `(SELECT CASE WHEN ${isFurther} THEN at ELSE ${bound.time} END, CASE WHEN ${isFurther} THEN id ELSE '' END FROM position)`;
}
