import type { Statement } from "../../authorization/statement.ts";
import { ASCENDING, type Bounds, boundsOf, DESCENDING, type Direction } from "../../pagination/bounds.ts";
import type { TimeRange } from "../../pagination/time-parameters.ts";
import type { ListParameters, TimeRanges } from "../parameters/list-parameters.ts";
import { isAscending, SORTS, type TimeColumn } from "../parameters/sort.ts";

/** What a request asks of the indexes, in the parts that its SQL is made of. */
export interface Walk {
  /** The parameter that the shop's id is bound to, and the one of the limit: one record more than the page has. */
  readonly shop: string;
  readonly limit: string;
  /** The time that the sort goes by, and the other one. */
  readonly column: TimeColumn;
  readonly other: TimeColumn;
  readonly direction: Direction;
  /** The walk starts at the position of a cursor, or at a bound where that is the tighter one. */
  readonly hasCursor: boolean;
  readonly bounds: Bounds;
  readonly ranges: TimeRanges;
  /** The filter on the other time, as conditions on `r`; empty where there is none. */
  readonly otherFilter: string;
  readonly bindTime: (at: number) => string;
}

export interface WalkSql {
  /** Common table expressions, in the order in which they refer to each other. */
  readonly ctes: readonly string[];
  /** A query of one column `doc`: the page's records in the order of the walk. */
  readonly records: string;
  /** A query with a row if a record lies before the page: at the cursor's position, or between it and the walk's bound. */
  readonly previous: string;
}

export function walkOf(statement: Statement, shop: string, { limit, sort, cursor, ranges }: ListParameters): Walk {
  const { column } = SORTS[sort];
  const other = column === "inserted_at" ? "updated_at" : "inserted_at";
  const direction = isAscending(sort, cursor) ? ASCENDING : DESCENDING;
  const bindTime = (at: number): string => `${statement.bind(new Date(at).toISOString())}::timestamptz`;
  const { min, max } = ranges[other];
  return {
    shop,
    limit: statement.bind(limit + 1),
    column,
    other,
    direction,
    hasCursor: cursor !== null,
    bounds: boundsOf(impliedRange(column, ranges), direction, bindTime),
    ranges,
    otherFilter: [
      ...(min === null ? [] : [` AND r.${other} >= ${bindTime(min)}`]),
      ...(max === null ? [] : [` AND r.${other} <= ${bindTime(max)}`]),
    ].join(""),
    bindTime,
  };
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
