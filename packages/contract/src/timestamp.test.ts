import { suiteDatabase } from "@partner-connect/database/testing/suite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTimestamp, parseTimestamp } from "./timestamp.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "timestamp test" });

const two = (value: number) => String(value).padStart(2, "0");
const upTo = (max: number, min = 0) => fc.integer({ min, max }).map(two);

const dateTime = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1970, max: 2030 }), fc.integer({ min: 0, max: 9999 })),
    date: fc.tuple(upTo(13), upTo(32)),
    time: fc.tuple(upTo(23), upTo(59), upTo(59)),
    fraction: fc.oneof(
      fc.constant(""),
      fc.stringMatching(/^\.\d{1,6}$/),
      fc.stringMatching(/^\.\d{3}(499|5|500|501)$/),
    ),
    offset: fc.oneof(fc.constant("Z"), fc.tuple(fc.constantFrom("+", "-"), upTo(14), upTo(59))),
  })
  .map(({ year, date, time, fraction, offset }) => {
    const zone = typeof offset === "string" ? offset : `${offset[0]}${offset[1]}:${offset[2]}`;
    return `${String(year).padStart(4, "0")}-${date.join("-")}T${time.join(":")}${fraction}${zone}`;
  });

/** The times that Postgres stores for `texts`; undefined for those it refuses. */
async function byPostgres(texts: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await sql<{ shown: string | null }[]>`
    SELECT CASE WHEN pg_input_is_valid(text, 'timestamptz(3)') THEN survey.timestamp_text(text::timestamptz(3)) END AS shown
    FROM unnest(${texts}::text[]) WITH ORDINALITY AS given (text, position) ORDER BY position`;
  return rows.map((row) => row.shown ?? undefined);
}

test("a date-time names the instant that Postgres reads, rounded to milliseconds as timestamptz(3) is", async () => {
  const property = fc.asyncProperty(
    fc.array(dateTime, { minLength: 200, maxLength: 400 }),
    async (texts) => {
      const expected = await byPostgres(texts);
      for (const [index, text] of texts.entries()) {
        const instant = parseTimestamp(text);
        // Years outside 1 to 9999, which Postgres has and records can't show, are refused.
        if (instant !== undefined)
          expect([text, formatTimestamp(instant)]).toEqual([text, expected[index]]);
        else if (expected[index] !== undefined)
          expect(text).toMatch(/^(?:0000|0001-01-01|9999-12-31)/);
      }
    },
  );
  await fc.assert(property, { numRuns: 20 });
});

test("a formatted instant is parsed as the same instant", () => {
  const instants = fc.integer({
    min: Date.parse("0001-01-01T00:00:00Z"),
    max: Date.parse("9999-12-31T23:59:59.999Z"),
  });
  fc.assert(
    fc.property(instants, (instant) => parseTimestamp(formatTimestamp(instant)) === instant),
  );
});

test("a timestamp with one changed character is refused, or read as Postgres reads it", async () => {
  const changed = fc
    .tuple(dateTime, fc.nat(), fc.constantFrom(..."0123456789-+:.TZtz W,/"))
    .map(([text, at, character]) => text.replace(text.charAt(at % text.length), character));
  const property = fc.asyncProperty(
    fc.array(changed, { minLength: 200, maxLength: 400 }),
    async (texts) => {
      // RFC 3339 has offsets to 23:59, Postgres to 15:59.
      const accepted = texts.filter(
        (text) => parseTimestamp(text) !== undefined && !/[+-](1[6-9]|2\d):\d\d$/.test(text),
      );
      const shown = accepted.map((text) => formatTimestamp(parseTimestamp(text) ?? 0));
      expect(await byPostgres(accepted)).toEqual(shown);
    },
  );
  await fc.assert(property, { numRuns: 20 });
});

test.each([
  ["2026-11-21T01:02:03.1234567Z", ".NET"],
  ["2026-11-21T02:02:03.123456789+01:00", "Go, Java"],
  ["2026-11-21T02:02:03.123+0100", "PHP, Python"],
  ["2026-11-20T23:32:03.123400000000-0130", "twelve decimals"],
  ["2026-11-22T01:01:03.123+23:59", "the largest offset"],
  ["2026-11-20T01:03:03.123-23:59", "the smallest offset"],
])("%s (%s) is a time", (text) => {
  expect(parseTimestamp(text)).toBe(Date.parse("2026-11-21T01:02:03.123Z"));
});

test.each([
  ["2026-11-21", "a date alone"],
  ["2026-11-21T01:02Z", "no seconds"],
  ["2026-11-21T01:02:03", "no offset"],
  ["2026-11-21 01:02:03Z", "a space for T"],
  ["2026-11-21T01:02:03.Z", "an empty fraction"],
  ["2026-11-21T01:02:03,5Z", "a comma"],
  ["2026-11-21T24:00:00Z", "hour 24"],
  ["2016-12-31T23:59:60Z", "a leap second"],
  ["2025-02-29T00:00:00Z", "a day that the month lacks"],
  ["2026-11-21T01:02:03+24:00", "an offset of a day"],
  ["+002026-11-21T01:02:03Z", "an expanded year"],
  ["2026-11-21T01:02:03Z\n", "a newline behind it"],
  ["0000-12-31T00:00:00Z", "the year 0"],
  ["0001-01-01T00:00:00+00:01", "an offset that leads into the year 0"],
  ["9999-12-31T23:59:59.9999Z", "a fraction that rounds into the year 10000"],
  ["now", "a word that Postgres would take"],
  ["1795222923", "seconds since 1970"],
  ["", "nothing"],
])("%j is no timestamp: %s", (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});
