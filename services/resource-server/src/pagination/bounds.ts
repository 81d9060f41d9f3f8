import type { Statement } from "../statement.ts";
import type { TimeRange } from "./time-parameters.ts";

/**
 * The direction of an index walk, as SQL. It is the sort's direction or, with `ending_before`, the
 * opposite, so that LIMIT keeps the records next to the cursor. Such a page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** The order of a walk in the other direction, which shows whether records precede the page. */
  readonly opposite: "ASC" | "DESC";
  /** Compares a key with the excluded start of the walk: `(r.inserted_at, r.id) > start`. */
  readonly after: ">" | "<";
  /** Compares a key with the included end of the walk: `(r.inserted_at, r.id) <= end`. */
  readonly upTo: "<=" | ">=";
}

export const ASCENDING: Direction = { order: "ASC", opposite: "DESC", after: ">", upTo: "<=" };
export const DESCENDING: Direction = { order: "DESC", opposite: "ASC", after: "<", upTo: ">=" };

/** A page's start, as SQL: the time by which the cursor's record is sorted, and the record's id. */
export interface Position {
  readonly at: string;
  readonly id: string;
}

/**
 * A walk of an index by (time, id), in a range of times. A bound of the range is `(time, '')`: ids
 * are not empty and times are whole milliseconds, so `(r.inserted_at, r.id) < (max + 1 ms, '')`
 * equals `inserted_at <= max`. Of two bounds on one side, only the tighter is used: Postgres would
 * start at one and read everything up to the other.
 */
export class Walk {
  readonly #key: string;
  readonly #direction: Direction;
  readonly #start: string | null;
  readonly #end: string | null;

  /** @param time - the column */
  constructor(statement: Statement, time: string, { min, max }: TimeRange, direction: Direction) {
    this.#key = `(r.${time}, r.id)`;
    this.#direction = direction;
    const lower = min === null ? null : statement.bindTime(min);
    const upper = max === null ? null : statement.bindTime(max + 1);
    [this.#start, this.#end] = direction === ASCENDING ? [lower, upper] : [upper, lower];
  }

  /** The conditions for a page's records: in the range, and after the position. */
  after(position: Position | null): string {
    const further = this.#direction === ASCENDING ? "greatest" : "least";
    const start = position ? tighter(further, position, this.#start) : atBound(this.#start);
    return this.#between(start, atBound(this.#end));
  }

  /** The conditions for records that precede the page: in the range, and up to the position. */
  upTo(position: Position): string {
    const nearer = this.#direction === ASCENDING ? "least" : "greatest";
    return this.#between(atBound(this.#start), tighter(nearer, position, this.#end));
  }

  #between(start: string | null, end: string | null): string {
    const { after, upTo } = this.#direction;
    const begins = start ? ` AND ${this.#key} ${after} ${start}` : "";
    return end ? `${begins} AND ${this.#key} ${upTo} ${end}` : begins;
  }
}

function atBound(time: string | null): string | null {
  return time && `(${time}, '')`;
}

/** The position or the bound: the greater or the lesser of the two. */
function tighter(which: "greatest" | "least", { at, id }: Position, bound: string | null): string {
  if (bound === null) return `(${at}, ${id})`;
  const isPosition = `${at} ${which === "greatest" ? ">=" : "<"} ${bound}`;
  return `(${which}(${at}, ${bound}), CASE WHEN ${isPosition} THEN ${id} ELSE '' END)`;
}
