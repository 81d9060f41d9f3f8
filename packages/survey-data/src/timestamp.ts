/**
 * RFC 3339 section 5.6, date-time only: `T` and an offset are required (either case, as the RFC allows), seconds go to
 * at most microseconds. No leap second, which no stored instant can hold.
 */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_2000 = Date.UTC(2000, 0, 1);

/**
 * The instant that `text` names, in whole milliseconds since 1970, or undefined if it is not an RFC 3339 date-time
 * from the years 1 to 9999 (UTC). Microseconds round to milliseconds as Postgres's timestamptz(3) rounds them.
 */
export function parseTimestamp(text: string): number | undefined {
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
  const instant = withFraction(local - offset, (match[7] ?? "").padEnd(6, "0"));
  return instant >= YEAR_1 && instant < Date.UTC(10_000) ? instant : undefined;
}

/** The one form in which records show a time: `2026-11-21T01:02:03.123Z`. For the years 1 to 9999. */
export function formatTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Half a millisecond goes away from 2000-01-01, which is Postgres's zero. */
function withFraction(second: number, microseconds: string): number {
  const floor = second + Number(microseconds.slice(0, 3));
  const rest = Number(microseconds.slice(3));
  return rest > 500 || (rest === 500 && floor >= YEAR_2000) ? floor + 1 : floor;
}
