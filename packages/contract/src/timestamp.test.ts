import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTimestamp, parseTimestamp } from "./timestamp.ts";

test("a formatted instant is parsed as the same instant", () => {
  const instants = fc.integer({
    min: Date.parse("0001-01-01T00:00:00Z"),
    max: Date.parse("9999-12-31T23:59:59.999Z"),
  });
  fc.assert(
    fc.property(instants, (instant) => parseTimestamp(formatTimestamp(instant)) === instant),
  );
});

test.each([
  ["2026-11-21T01:02:03.1234567Z", ".NET"],
  ["2026-11-21T02:02:03.123456789+01:00", "Go, Java"],
  ["2026-11-21T02:02:03.123+0100", "PHP, Python"],
  ["2026-11-20T23:32:03.123400000000-0130", "twelve decimals"],
  ["2026-11-22T01:01:03.123+23:59", "the largest offset"],
  ["2026-11-20T01:03:03.123-23:59", "the smallest offset"],
])("%s (%s) is parsed as a time", (text) => {
  expect(parseTimestamp(text)).toBe(Date.parse("2026-11-21T01:02:03.123Z"));
});

test.each([
  ["2026-11-21", "only a date"],
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
  ["9999-12-31T23:59:59.9995Z", "a fraction that rounds into the year 10000"],
  ["now", "a word that Postgres would accept"],
  ["1795222923", "seconds since 1970"],
  ["", "an empty text"],
])("%j is not parsed as a time (%s)", (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test.each([
  ["2026-11-21T01:02:03.1225Z", "2026-11-21T01:02:03.123Z"],
  ["2026-11-21T01:02:03.122499Z", "2026-11-21T01:02:03.122Z"],
  ["2000-01-01T00:00:00.0005Z", "2000-01-01T00:00:00.001Z"],
  ["1999-12-31T23:59:59.1225Z", "1999-12-31T23:59:59.122Z"],
  ["1999-12-31T23:59:59.1225001Z", "1999-12-31T23:59:59.123Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.9994Z", "9999-12-31T23:59:59.999Z"],
])("the timestamp %s is rounded to %s, as in Postgres", (text, rounded) => {
  expect(formatTimestamp(parseTimestamp(text) ?? 0)).toBe(rounded);
});
