import { parseDateTime } from "@partner-connect/contract";
import { field, text } from "@partner-connect/contract/openapi";
import Type from "typebox";
import Format from "typebox/format";
import { invalidRequest } from "../errors/api-error.ts";
import type { Cursor } from "./limit-and-cursor.ts";

// What `format: "date-time"` means here. TypeBox's own meaning is narrower.
Format.Set("date-time", (value) => parseTimestamp(value) !== null);

export const timeParameter = (description: string, example: string) =>
  Type.Optional(
    field(
      text(description, example, { format: "date-time" }),
      "an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z",
    ),
  );

/** `<column>_min` and `<column>_max`. */
export const timeFilters = <Column extends string>(column: Column, example: string) => {
  const bound = (side: string) =>
    timeParameter(
      `Only records whose \`${column}\` is at or ${side} this time: RFC 3339, with \`Z\` or any offset.`,
      example,
    );
  const filters = { [`${column}_min`]: bound("after"), [`${column}_max`]: bound("before") };
  return filters as Record<`${Column}_${"min" | "max"}`, ReturnType<typeof timeParameter>>;
};

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

/** Inclusive, of any precision. Stored times are whole milliseconds: the next ones inside of the range mean the same. */
export function timeRange(min: string | undefined, max: string | undefined): TimeRange {
  return {
    min: min === undefined ? null : (parseTimestamp(min)?.ceiling ?? null),
    max: max === undefined ? null : (parseTimestamp(max)?.floor ?? null),
  };
}

export interface TimedCursor extends Cursor {
  /**
   * The record's time by which the list is sorted, as it was shown (`cursor_time`), in milliseconds: with it the cursor is a whole
   * position.
   */
  readonly time?: number;
}

/** The cursor with its `cursor_time`. `ascending`: how the page is read. @throws {ApiError} 400 without a cursor */
export function timedCursor(cursor: Cursor | null, time: string | undefined, ascending: boolean): TimedCursor | null {
  const at = time === undefined ? null : parseTimestamp(time);
  if (!at) return cursor;
  if (!cursor) throw invalidRequest("cursor_time", "cursor_time goes with starting_after or ending_before.");
  // No record shows a part of a millisecond. A caller who sends one is given too much rather than too little.
  return { ...cursor, time: ascending ? at.floor : at.ceiling };
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
