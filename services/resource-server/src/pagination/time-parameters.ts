import { parseDateTime } from "@partner-connect/contract";
import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { type Cursor, readSingle } from "./limit-and-cursor.ts";

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

export type Given = readonly [name: string, value: string];

export interface TimedCursor extends Cursor {
  /**
   * The record's time by which the list is sorted, as it was shown (`cursor_time`), in milliseconds: with it the cursor is a whole
   * position.
   */
  readonly time?: number;
}

/** `<column>_min` and `<column>_max`, inclusive, of any precision. @throws {ApiError} 400 for a repeated or malformed one */
export function readTimeRange(
  parameters: QueryParameters,
  column: string,
): { readonly range: TimeRange; readonly given: readonly Given[] } {
  const given: Given[] = [];
  const [min = null, max = null] = (["min", "max"] as const).map((side) => {
    const name = `${column}_${side}`;
    const value = readTimeText(parameters, name);
    if (value === null) return null;
    given.push([name, value]);
    const time = readTime(name, value);
    // Stored times are whole milliseconds: the next ones inside of the range mean the same.
    return side === "min" ? time.ceiling : time.floor;
  });
  return { range: { min, max }, given };
}

/**
 * The cursor with its `cursor_time`. `ascending`: how the page is read. @throws {ApiError} 400 without a cursor, or for a malformed time
 */
export function readCursorTime(
  parameters: QueryParameters,
  cursor: Cursor | null,
  ascending: boolean,
): TimedCursor | null {
  const value = readTimeText(parameters, "cursor_time");
  if (value === null) return cursor;
  if (!cursor) {
    throw invalidRequest("cursor_time", "cursor_time goes with starting_after or ending_before.");
  }
  const { floor, ceiling } = readTime("cursor_time", value);
  // No record shows a part of a millisecond. A caller who sends one is given too much rather than too little.
  return { ...cursor, time: ascending ? floor : ceiling };
}

/** The parameter's one value, or null. A blank in it is a plus that was not percent-encoded. */
function readTimeText(parameters: QueryParameters, name: string): string | null {
  return readSingle(parameters, name)?.replace(" ", "+") ?? null;
}

/** @throws {ApiError} 400 naming the parameter unless the value is an RFC 3339 date-time */
function readTime(name: string, value: string): Timestamp {
  const time = parseTimestamp(value);
  if (!time) throw invalidRequest(name, `${name} must be an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z.`);
  return time;
}

/** A place in the order: the time that the sort goes by, in milliseconds since the epoch, and the id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** Postgres has no year 0, and Date prints years after 9999 with a sign; every record's time is between these two. */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-30T00:00:00.000Z");

/** A time that a caller sent. Records have whole milliseconds, so a finer time lies between two of them. */
interface Timestamp {
  /** Whole milliseconds since the epoch, at or before the time. */
  readonly floor: number;
  /** Whole milliseconds since the epoch, at or after the time. */
  readonly ceiling: number;
}

/**
 * The time that a query parameter names; null if it is no RFC 3339 date-time. A space before the offset is an unescaped `+`. A time beyond
 * all records is the nearest that Postgres can hold.
 */
export function parseTimestamp(text: string): Timestamp | null {
  const time = parseDateTime(text.replace(" ", "+"));
  if (!time) return null;
  const { milliseconds: floor, rest } = time;
  return { floor: clamp(floor), ceiling: clamp(rest === 0 ? floor : floor + 1) };
}

function clamp(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}
