import { parseDateTime } from "@partner-connect/contract";
import Format from "typebox/format";
import { invalidRequest } from "../errors/api-error.ts";

/** A page of large records ends before it reaches this number of bytes. */
export const MOST_PAGE_BYTES = 16 * 1024 * 1024;

export interface PageParameters {
  readonly limit: number;
  readonly cursor: Cursor | null;
  /** The other parameters under their canonical names, for `prev` and `next`. */
  readonly given: Given;
  /** The field by which the list is sorted, if it is a time. Links contain it as `cursor_time`. */
  readonly sortTime?: "inserted_at" | "updated_at" | "deleted_at";
  /**
   * The page ends before it reaches this number of bytes, which must exceed the largest record.
   * Lists of small records have no such limit.
   */
  readonly mostBytes?: number;
}

export type Given = readonly (readonly [name: string, value: string])[];

/** Picks the named parameters that are in the query. A blank in a time was an unescaped plus. */
export function givenOf<Query extends object>(
  query: Query,
  ...names: readonly (keyof Query & string)[]
): Given {
  return names
    .filter((name) => query[name] !== undefined)
    .map((name) => [name, String(query[name]).replace(" ", "+")] as const);
}

export interface Cursor {
  readonly name: keyof CursorQuery;
  /** Where the page is: after the record (`starting_after`), or before it (`ending_before`). */
  readonly side: "after" | "before";
  readonly id: string;
  /**
   * `cursor_time` in milliseconds: the time by which the record was sorted when it was returned.
   * With it the cursor is a complete position.
   */
  readonly time?: number | undefined;
}

type CursorQuery = Partial<
  Readonly<Record<"starting_after" | "ending_before" | "after" | "before", string>>
>;

const CURSORS = ["starting_after", "after", "ending_before", "before"] as const;

/** @throws {ApiError} 400 if both cursors are sent, or an id is impossible */
export function readCursor(
  query: CursorQuery,
  isPossibleId: (id: string) => boolean,
): Cursor | null {
  const [sent, other] = CURSORS.flatMap((name) =>
    query[name] === undefined ? [] : { name, id: query[name] },
  );
  if (!sent) return null;
  if (other)
    throw invalidRequest(other.name, `${sent.name} and ${other.name} cannot be used together.`);
  const cursor: Cursor = { ...sent, side: sent.name.endsWith("after") ? "after" : "before" };
  if (!isPossibleId(sent.id)) throw unknownCursor(cursor);
  return cursor;
}

/** The same error for every id that this shop does not know, including other shops' ids. */
export function unknownCursor({ name }: Cursor): Error {
  return invalidRequest(name, `${name} is not the id of a record of this shop.`, "unknown_cursor");
}

/** True for ids of 1 to 64 characters without NUL, which Postgres can't compare. */
export function isPossibleResponseId(id: string): boolean {
  return id !== "" && [...id].length <= 64 && !id.includes("\0");
}

/** Adds `cursor_time` to the cursor. @throws {ApiError} 400 without a cursor */
export function timedCursor(
  cursor: Cursor | null,
  cursorTime: string | undefined,
  readsAscending: boolean,
): Cursor | null {
  const time = parseTimeParameter(cursorTime ?? "");
  if (!time) return cursor;
  if (!cursor)
    throw invalidRequest("cursor_time", "cursor_time goes with starting_after or ending_before.");
  // Our responses have no fractions of a millisecond. If a caller sends a fraction, repeat
  // records rather than skip them.
  return { ...cursor, time: readsAscending ? time.floor : time.ceiling };
}

// Replaces TypeBox's own `date-time`, which accepts less.
Format.Set("date-time", (value) => parseTimeParameter(value) !== null);

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

/**
 * Rounds inclusive bounds of any precision inwards, because stored times are whole milliseconds.
 */
export function timeRange(min: string | undefined, max: string | undefined): TimeRange {
  return {
    min: parseTimeParameter(min ?? "")?.ceiling ?? null,
    max: parseTimeParameter(max ?? "")?.floor ?? null,
  };
}

/**
 * Limits of the records' times: Postgres has no year 0, and Date prints years after 9999 with a
 * sign.
 */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-30T00:00:00.000Z");

/** A time rounded to whole milliseconds, down and up. */
interface RoundedTime {
  readonly floor: number;
  readonly ceiling: number;
}

/**
 * Parses an RFC 3339 date-time, or returns null. A space before the offset is an unescaped `+`.
 * Times before {@link EARLIEST} or after {@link LATEST} become that limit.
 */
export function parseTimeParameter(text: string): RoundedTime | null {
  const time = parseDateTime(text.replace(" ", "+"));
  if (!time) return null;
  const { milliseconds: floor, rest } = time;
  return { floor: clamp(floor), ceiling: clamp(rest === 0 ? floor : floor + 1) };
}

function clamp(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}
