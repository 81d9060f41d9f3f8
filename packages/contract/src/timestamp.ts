/**
 * An RFC 3339 §5.6 date-time, with any number of decimals. An offset may lack the colon, as many
 * languages print it.
 */
const DATE_TIME =
  /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))$/i;

interface DateTime {
  /** Whole milliseconds since 1970, at or before the instant. */
  readonly milliseconds: number;
  /** The remaining fraction of a millisecond. */
  readonly rest: number;
}

/**
 * Parses an RFC 3339 date-time of an existing day; otherwise undefined. Refuses leap seconds, which
 * Postgres can't store.
 */
export function parseDateTime(text: string): DateTime | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, day, fraction = "", sign, hours = 0, minutes = 0] = match;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
  const milliseconds = Date.parse(text);
  // Date accepts nonexistent days and hour 24, and moves them to a later day.
  if (new Date(milliseconds + offset).getUTCDate() !== Number(day)) return undefined;
  return { milliseconds, rest: Number(`0.${fraction.slice(3)}`) };
}

const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_2000 = Date.UTC(2000, 0, 1);
const YEAR_10000 = Date.UTC(10_000);

/**
 * A record's time in milliseconds, rounded like timestamptz(3); undefined unless RFC 3339 in the
 * years 1 to 9999.
 */
export function parseTimestamp(text: string): number | undefined {
  const time = parseDateTime(text);
  if (!time) return undefined;
  const { milliseconds, rest } = time;
  // Postgres counts from 2000-01-01, and rounds half a millisecond away from there.
  const roundsUp = rest > 0.5 || (rest === 0.5 && milliseconds >= YEAR_2000);
  const instant = milliseconds + (roundsUp ? 1 : 0);
  return instant >= YEAR_1 && instant < YEAR_10000 ? instant : undefined;
}

/** Formats a time as records have it, `2026-11-21T01:02:03.123Z`, for the years 1 to 9999. */
export function formatTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}
