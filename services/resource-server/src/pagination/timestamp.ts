import { parseDateTime } from "@partner-connect/contract";

/** Postgres has no year 0, and Date prints years after 9999 with a sign; every record's time is between these two. */
export const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-30T00:00:00.000Z");

/** A time that a caller sent. Records have whole milliseconds, so a finer time lies between two of them. */
export interface Timestamp {
  /** Whole milliseconds since the epoch, at or before the time. */
  readonly floor: number;
  /** Whole milliseconds since the epoch, at or after the time. */
  readonly ceiling: number;
}

/**
 * The time that a query parameter names, or null if it isn't an RFC 3339 date-time. A space before the offset is a `+`
 * that the caller did not percent-encode. A time before or after all records is the nearest one that Postgres can hold.
 */
export function parseTimestamp(text: string): Timestamp | null {
  const time = parseDateTime(text.replace(" ", "+"));
  if (!time) return null;
  const { milliseconds: floor, microseconds } = time;
  return { floor: clamp(floor), ceiling: clamp(microseconds === 0 ? floor : floor + 1) };
}

function clamp(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}
