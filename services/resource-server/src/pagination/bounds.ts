import type { TimeRange } from "./time-parameters.ts";

/**
 * The direction of an index walk as SQL: that of the sort or, with `ending_before`, the opposite,
 * so that LIMIT keeps the records next to the cursor. Such a page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** Compares a key with the excluded start of the walk: `(r.inserted_at, r.id) > start`. */
  readonly after: ">" | "<";
  /** Compares a key with the included end of the walk: `(r.inserted_at, r.id) <= end`. */
  readonly upTo: "<=" | ">=";
}

export const ASCENDING: Direction = { order: "ASC", after: ">", upTo: "<=" };
export const DESCENDING: Direction = { order: "DESC", after: "<", upTo: ">=" };

export function opposite(direction: Direction): Direction {
  return direction === ASCENDING ? DESCENDING : ASCENDING;
}

/**
 * `ORDER BY r.inserted_at DESC, r.id DESC`: an index on (shop_id, inserted_at, id) provides both
 * orders. `time` is a column or alias.
 */
export function orderBy({ order }: Direction, time: string): string {
  return `ORDER BY ${time} ${order}, r.id ${order}`;
}

/**
 * Start and end of an index walk, as given by the filters. A bound is a row `(time, '')`, compared
 * with the whole index key: ids are not empty and times are whole milliseconds, so `(r.inserted_at,
 * r.id) < (max + 1 ms, '')` equals `inserted_at <= max`. Emit only the tighter of two bounds on one
 * side: Postgres would start at one and read everything up to the other.
 */
export interface Bounds {
  readonly start: Bound | null;
  readonly end: Bound | null;
}

interface Bound {
  readonly time: string;
  readonly row: string;
}

export function boundsOf(
  { min, max }: TimeRange,
  direction: Direction,
  bindTime: (at: number) => string,
): Bounds {
  const bound = (time: string): Bound => ({ time, row: `(${time}, '')` });
  const lower = min === null ? null : bound(bindTime(min));
  const upper = max === null ? null : bound(bindTime(max + 1));
  return direction === ASCENDING ? { start: lower, end: upper } : { start: upper, end: lower };
}

/**
 * Returns ` AND key > start AND key <= end` in the direction of the walk, without absent bounds.
 */
export function between(
  { after, upTo }: Direction,
  key: string,
  start: string | undefined,
  end: string | undefined,
): string {
  return `${start ? ` AND ${key} ${after} ${start}` : ""}${end ? ` AND ${key} ${upTo} ${end}` : ""}`;
}

/** Returns the cursor's `position`, or the bound if that is further along the walk. */
export function positionOr({ after }: Direction, bound: Bound | null): string {
  if (!bound) return "(SELECT at, id FROM position)";
  const isFurther = `(at, id) ${after} ${bound.row}`;
  return `(SELECT CASE WHEN ${isFurther} THEN at ELSE ${bound.time} END, CASE WHEN ${isFurther} THEN id ELSE '' END FROM position)`;
}
