import type { Statement } from "../authorization/caller-state.query.ts";
import type { Position, TimeRange } from "./time-parameters.ts";

/**
 * The direction of an index walk as SQL: that of the sort or, with `ending_before`, the opposite,
 * so that LIMIT keeps the records next to the cursor. Such a page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** The order of the walk back, which shows whether records precede the page. */
  readonly opposite: "ASC" | "DESC";
  /** Compares a key with the excluded start of the walk: `(r.inserted_at, r.id) > start`. */
  readonly after: ">" | "<";
  /** Compares a key with the included end of the walk: `(r.inserted_at, r.id) <= end`. */
  readonly upTo: "<=" | ">=";
}

export const ASCENDING: Direction = { order: "ASC", opposite: "DESC", after: ">", upTo: "<=" };
export const DESCENDING: Direction = { order: "DESC", opposite: "ASC", after: "<", upTo: ">=" };

/** A walk of an index by (time, id), after `start` and up to `end`. Null: no bound. */
export interface Walk {
  readonly direction: Direction;
  readonly start: Position | null;
  readonly end: Position | null;
}

/**
 * The walk that reads a page: the range, after the cursor's position. A bound of the range is
 * `(time, '')`: ids are not empty and times are whole milliseconds, so `(r.inserted_at, r.id) <
 * (max + 1 ms, '')` equals `inserted_at <= max`. Of two bounds on one side, only the tighter is
 * used: Postgres would start at one and read everything up to the other.
 */
export function walkFrom(range: TimeRange, direction: Direction, position: Position | null): Walk {
  const { start, end } = wholeWalk(range, direction);
  const isFurther = !start || (position && isAfter(position, start, direction));
  return { direction, start: isFurther ? position : start, end };
}

/** The walk back over the records of the range that precede the page, first the position's. */
export function walkBefore(range: TimeRange, direction: Direction, position: Position): Walk {
  const { start, end } = wholeWalk(range, direction);
  const isNearer = !end || isAfter(end, position, direction);
  return { direction, start, end: isNearer ? position : end };
}

function wholeWalk({ min, max }: TimeRange, direction: Direction): Omit<Walk, "direction"> {
  const lower = min === null ? null : { at: min, id: "" };
  const upper = max === null ? null : { at: max + 1, id: "" };
  return direction === ASCENDING ? { start: lower, end: upper } : { start: upper, end: lower };
}

function isAfter(one: Position, other: Position, direction: Direction): boolean {
  const isLater = one.at === other.at ? one.id > other.id : one.at > other.at;
  return direction === ASCENDING ? isLater : !isLater;
}

/**
 * Binds the walk's bounds: ` AND (r.inserted_at, r.id) > ($3::timestamptz, $4) AND …`. `time` is
 * the column.
 */
export function within(
  statement: Statement,
  time: string,
  { direction, start, end }: Walk,
): string {
  const row = ({ at, id }: Position) => `(${statement.bindTime(at)}, ${statement.bind(id)})`;
  const after = start ? ` AND (r.${time}, r.id) ${direction.after} ${row(start)}` : "";
  return end ? `${after} AND (r.${time}, r.id) ${direction.upTo} ${row(end)}` : after;
}
