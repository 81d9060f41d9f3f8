import { formatTimestamp, parseTimestamp } from "@partner-connect/contract";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import fc from "fast-check";
import { expect, test } from "vitest";

const { sql } = await suiteDatabase();

const two = (value: number) => String(value).padStart(2, "0");
const upTo = (max: number) => fc.integer({ min: 0, max }).map(two);

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

test("a date-time is parsed as the instant that Postgres reads as timestamptz(3)", async () => {
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

test("a date-time with one changed character is refused, or parsed as the instant that Postgres reads", async () => {
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
