import type { Statement } from "../../authorization/statement.ts";
import type { ListParameters, TimeRange } from "../list-parameters.ts";
import { risesInTime, SORTS, type TimeColumn } from "../sort.ts";

/** A place in the order: the sort's time in milliseconds since the epoch, and the id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** The bounds of a walk as SQL rows `(time, id)`: where it comes from, and where it ends. No record has such an id. */
export interface Bounds {
  readonly near: Bound | null;
  readonly far: Bound | null;
}

export interface Bound {
  readonly time: string;
  readonly row: string;
}

const NONE: Bounds = { near: null, far: null };

/**
 * How a request walks along an index: which way, and between which bounds.
 *
 * A bound on a time is one comparison of rows, which an index takes as it is: `(at, id) > (min, '')` is `at >= min`, as
 * no id is empty, and `(at, id) < (max + 1 ms, '')` is `at <= max`, as times are whole milliseconds.
 * Of two bounds on one side only the tighter is ever emitted: Postgres would start at one and filter by the other.
 */
export class Way {
  readonly shop: string;
  /** What the order goes by, and the other of the two times. */
  readonly column: TimeColumn;
  readonly other: TimeColumn;
  /** Whether the scan goes down. */
  readonly falls: boolean;
  readonly hasCursor: boolean;
  readonly isFilteredByOther: boolean;
  /** Of the sort's time; and of records that never changed, whose times are equal, so that all four bounds hold for both. */
  readonly bounds: Bounds;
  readonly unchangedBounds: Bounds;
  /** Of the other time, where something is filtered by it. */
  readonly otherBounds: Bounds;
  /** What is left to filter by: the other time's range as a condition on `r`. */
  readonly otherFilter: string;
  readonly #statement: Statement;

  constructor(statement: Statement, shop: string, { sort, cursor, ranges }: ListParameters) {
    const { column } = SORTS[sort];
    this.#statement = statement;
    this.shop = shop;
    this.column = column;
    this.other = column === "inserted_at" ? "updated_at" : "inserted_at";
    this.falls = !risesInTime(sort, cursor);
    this.hasCursor = cursor !== null;
    const other = ranges[this.other];
    this.isFilteredByOther = other.min !== null || other.max !== null;
    this.bounds = this.#boundsOf(impliedRange(column, ranges));
    this.unchangedBounds = this.isFilteredByOther ? this.#boundsOf(intersection(ranges)) : this.bounds;
    this.otherBounds = this.isFilteredByOther ? this.#boundsOf(impliedRange(this.other, ranges)) : NONE;
    this.otherFilter = [
      ...(other.min === null ? [] : [` AND r.${this.other} >= ${this.time(other.min)}`]),
      ...(other.max === null ? [] : [` AND r.${this.other} <= ${this.time(other.max)}`]),
    ].join("");
  }

  /** `<` where the walk goes down. */
  get beyond(): "<" | ">" {
    return this.falls ? "<" : ">";
  }

  /** The other way round, and inclusive: what lies on this side of a place, the place included. */
  get within(): "<=" | ">=" {
    return this.falls ? ">=" : "<=";
  }

  /** Whether the record `r` passes the filters on the side that the walk comes from. */
  get inside(): string {
    const { near } = this.bounds;
    return `(true${near ? ` AND (r.${this.column}, r.id) ${this.beyond} ${near.row}` : ""}${this.otherFilter})`;
  }

  order(column: string, falls = this.falls): string {
    const way = falls ? "DESC" : "ASC";
    return `ORDER BY ${column} ${way}, r.id ${way}`;
  }

  /** `(at, id)` of the cursor or of the near bound, whichever is tighter. */
  start(near: Bound | null): [at: string, id: string] {
    if (!near) return ["at", "id"];
    const isTighter = `(at, id) ${this.beyond} ${near.row}`;
    return [`CASE WHEN ${isTighter} THEN at ELSE ${near.time} END`, `CASE WHEN ${isTighter} THEN id ELSE '' END`];
  }

  time(at: number): string {
    return `${this.#statement.bind(new Date(at).toISOString())}::timestamptz`;
  }

  #boundsOf({ min, max }: TimeRange): Bounds {
    const bound = (time: string): Bound => ({ time, row: `(${time}, '')` });
    const lower = min === null ? null : bound(this.time(min));
    const upper = max === null ? null : bound(this.time(max + 1));
    return this.falls ? { near: upper, far: lower } : { near: lower, far: upper };
  }
}

/** updated_at is never before inserted_at, so a bound on the one can be a bound on the other as well. */
export function impliedRange(column: TimeColumn, ranges: ListParameters["ranges"]): TimeRange {
  const { inserted_at: inserted, updated_at: updated } = ranges;
  return column === "updated_at"
    ? { min: tighter(Math.max, updated.min, inserted.min), max: updated.max }
    : { min: inserted.min, max: tighter(Math.min, inserted.max, updated.max) };
}

function intersection({ inserted_at: inserted, updated_at: updated }: ListParameters["ranges"]): TimeRange {
  return { min: tighter(Math.max, updated.min, inserted.min), max: tighter(Math.min, updated.max, inserted.max) };
}

function tighter(pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : pick(a, b);
}
