/** RFC 3339 section 5.6, date-time only, with an offset and at most six decimals. No leap second, which Postgres can't store. */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

interface DateTime {
  /** Whole milliseconds since 1970, at or before the instant. */
  readonly milliseconds: number;
  /** How much later the instant is: 0 to 999. */
  readonly microseconds: number;
}

/** The instant that `text` names, or undefined if it is no RFC 3339 date-time of a day that exists. */
export function parseDateTime(text: string): DateTime | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  // Date.UTC takes years below 100 for 19xx; 400 years are a whole number of Gregorian cycles.
  const local =
    Date.UTC(year + 400, month - 1, day, Number(match[4]), Number(match[5]), Number(match[6])) - 146_097 * 86_400_000;
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === "-" ? -60_000 : 60_000);
  const fraction = (match[7] ?? "").padEnd(6, "0");
  return { milliseconds: local - offset + Number(fraction.slice(0, 3)), microseconds: Number(fraction.slice(3)) };
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_2000 = Date.UTC(2000, 0, 1);
const YEAR_10000 = Date.UTC(10_000);

/**
 * The time of a record in whole milliseconds, rounded as timestamptz(3) rounds; undefined for no RFC 3339 date-time of the years 1 to 9999.
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
