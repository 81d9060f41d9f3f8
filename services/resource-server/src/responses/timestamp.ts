/** RFC 3339 date-time, with at most microseconds. The blank before an offset is a '+' that nobody percent-encoded. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(?:[Zz]|([+\- ])(\d{2}):(\d{2}))$/;

/** Postgres knows no year 0, and Date prints other years with a sign; no record is outside of these. */
export const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-30T00:00:00.000Z");

export interface Timestamp {
  /** Whole milliseconds since the epoch, at or before the time. */
  readonly floor: number;
  /** Whole milliseconds since the epoch, at or after the time. */
  readonly ceiling: number;
}

/** The time that `text` says, or null if it isn't an RFC 3339 date-time of a real day. */
export function parseTimestamp(text: string): Timestamp | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const number = (group: number): number => Number(match[group] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(number(1), number(2) - 1, number(3));
  // A day that the month doesn't have rolls over into the next month.
  if (date.getUTCMonth() !== number(2) - 1 || date.getUTCDate() !== number(3)) return null;
  if (number(4) > 23 || number(5) > 59 || number(6) > 59 || number(9) > 23 || number(10) > 59) return null;
  date.setUTCHours(number(4), number(5), number(6));
  const offset = (number(9) * 60 + number(10)) * 60_000 * (match[8] === "-" ? -1 : 1);
  const microseconds = Number((match[7] ?? "").padEnd(6, "0"));
  const floor = date.getTime() - offset + Math.floor(microseconds / 1000);
  return { floor: clamp(floor), ceiling: clamp(microseconds % 1000 === 0 ? floor : floor + 1) };
}

function clamp(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}
