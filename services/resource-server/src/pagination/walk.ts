import type { Statement } from "../statement.ts";
import type { TimeRange } from "./page-parameters.ts";

/**
 * The direction of an index walk, as SQL. It is the sort's direction or, with `ending_before`, the
 * opposite, so that LIMIT keeps the records next to the cursor. Such a page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** The order of a walk in the other direction, which shows whether records precede the page. */
  readonly opposite: "ASC" | "DESC";
  /** Compares a key with the excluded start of the walk: `(r.inserted_at, r.id) > start`. */
  readonly isAfter: ">" | "<";
  /** Compares a key with the included end of the walk: `(r.inserted_at, r.id) <= end`. */
  readonly isUpTo: "<=" | ">=";
}

export const ASCENDING: Direction = { order: "ASC", opposite: "DESC", isAfter: ">", isUpTo: "<=" };
export const DESCENDING: Direction = { order: "DESC", opposite: "ASC", isAfter: "<", isUpTo: ">=" };

/** A page's start, as SQL: the cursor record's id, and the time by which it is or was sorted. */
export interface WalkStart {
  readonly time: string;
  readonly id: string;
}

interface WalkOptions {
  readonly column: string;
  readonly range: TimeRange;
  readonly direction: Direction;
  readonly start: WalkStart | null;
}

/**
 * Conditions of a walk of an index by (time, id) in a range of times: `after` the start, for a
 * page's records, and `upTo` it, for those that precede the page. A bound of the range is
 * `(time, '')`: ids are not empty and times are whole milliseconds, so
 * `(r.inserted_at, r.id) < (max + 1 ms, '')` equals `inserted_at <= max`. Of two bounds on one
 * side, only the tighter is used: Postgres would start at one and read everything up to the other.
 */
export function walkSql(statement: Statement, { column, range, direction, start }: WalkOptions) {
  const lower = range.min === null ? null : statement.bindTime(range.min);
  const upper = range.max === null ? null : statement.bindTime(range.max + 1);
  const [first, last, laterOf, earlierOf] =
    direction === ASCENDING
      ? ([lower, upper, "greatest", "least"] as const)
      : ([upper, lower, "least", "greatest"] as const);
  const between = (begin: string | null, end: string | null): string =>
    (begin ? ` AND (r.${column}, r.id) ${direction.isAfter} ${begin}` : "") +
    (end ? ` AND (r.${column}, r.id) ${direction.isUpTo} ${end}` : "");
  return {
    after: between(start ? tighter(laterOf, start, first) : atBound(first), atBound(last)),
    upTo: start && between(atBound(first), tighter(earlierOf, start, last)),
  };
}

function atBound(time: string | null): string | null {
  return time && `(${time}, '')`;
}

/** The start or the bound: the greater or the lesser of the two. */
function tighter(which: "greatest" | "least", { time, id }: WalkStart, bound: string | null) {
  if (bound === null) return `(${time}, ${id})`;
  const isStart = `${time} ${which === "greatest" ? ">=" : "<"} ${bound}`;
  return `(${which}(${time}, ${bound}), CASE WHEN ${isStart} THEN ${id} ELSE '' END)`;
}
