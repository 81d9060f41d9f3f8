import { parseDateTime } from "@partner-connect/contract";
import { field, text } from "@partner-connect/contract/openapi";
import Type from "typebox";
import Format from "typebox/format";
import { invalidRequest } from "../errors/api-error.ts";
import type { Cursor } from "./limit-and-cursor.ts";

// Replaces TypeBox's own `date-time`, which accepts less.
Format.Set("date-time", (value) => parseTimestamp(value) !== null);

export const timeParameter = (description: string, example: string) =>
  Type.Optional(
    field(
      text(description, example, { format: "date-time" }),
      "an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z",
    ),
  );

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

/**
 * Rounds inclusive bounds of any precision inwards, because stored times are whole milliseconds.
 */
export function timeRange(min: string | undefined, max: string | undefined): TimeRange {
  return {
    min: parseTimestamp(min ?? "")?.ceiling ?? null,
    max: parseTimestamp(max ?? "")?.floor ?? null,
  };
}

export interface TimedCursor extends Cursor {
  /**
   * `cursor_time` in milliseconds: the time by which the record was sorted when it was returned.
   * With it the cursor is a complete position.
   */
  readonly time?: number;
}

/**
 * Adds `cursor_time` to the cursor. `ascending` is the reading order. @throws {ApiError} 400
 * without a cursor
 */
export function timedCursor(
  cursor: Cursor | null,
  time: string | undefined,
  ascending: boolean,
): TimedCursor | null {
  const at = time === undefined ? null : parseTimestamp(time);
  if (!at) return cursor;
  if (!cursor)
    throw invalidRequest("cursor_time", "cursor_time goes with starting_after or ending_before.");
  // Our responses have no fractions of a millisecond. If a caller sends one, repeat records rather
  // than skip them.
  return { ...cursor, time: ascending ? at.floor : at.ceiling };
}

/**
 * Limits of the records' times: Postgres has no year 0, and Date prints years after 9999 with a
 * sign.
 */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-30T00:00:00.000Z");

/** A time from a query. If finer than milliseconds, it lies between two possible record times. */
interface Timestamp {
  /** Whole milliseconds at or before the time. */
  readonly floor: number;
  /** The time rounded up to whole milliseconds. */
  readonly ceiling: number;
}

/**
 * Parses an RFC 3339 date-time, or returns null. A space before the offset is an unescaped `+`.
 * Times outside of Postgres's range become its limits.
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
