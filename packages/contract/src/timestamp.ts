import { type DateTime, parseDateTime } from "./date-time.ts";

const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_2000 = Date.UTC(2000, 0, 1);
const YEAR_10000 = Date.UTC(10_000);

/**
 * The time of a record: whole milliseconds since 1970, rounded as Postgres's timestamptz(3) rounds. Undefined if `text`
 * is no RFC 3339 date-time, or not from the years 1 to 9999 (UTC).
 */
export function parseTimestamp(text: string): number | undefined {
  const time = parseDateTime(text);
  if (!time) return undefined;
  const instant = time.milliseconds + (roundsUp(time) ? 1 : 0);
  return instant >= YEAR_1 && instant < YEAR_10000 ? instant : undefined;
}

/** The one form in which records show a time: `2026-11-21T01:02:03.123Z`. For the years 1 to 9999. */
export function formatTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

/** Postgres counts from 2000-01-01, and rounds half a millisecond away from there. */
function roundsUp({ milliseconds, microseconds }: DateTime): boolean {
  return microseconds > 500 || (microseconds === 500 && milliseconds >= YEAR_2000);
}
