import { expect, test } from "vitest";
import { parseTimeParameter } from "./page-parameters.ts";

const AT = Date.UTC(2026, 0, 1);

test.each([
  ["2026-01-01T02:00:00.123 02:00", 123, 123],
  ["2026-01-01T00:00:00.123000Z", 123, 123],
  ["2026-01-01T00:00:00.000001Z", 0, 1],
  ["2026-01-01T00:00:00.999999Z", 999, 1000],
  ["2026-01-01T00:00:00.123000001+00:00", 123, 124],
])(
  "the time parameter %s is rounded down to %i and up to %i ms, with a space read as a plus",
  (text, floor, ceiling) => {
    expect(parseTimeParameter(text)).toEqual({ floor: AT + floor, ceiling: AT + ceiling });
  },
);

test("a time before year 1 or after year 9999 is clamped to 0001-01-01 or 9999-12-30", () => {
  for (const text of [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999999-23:59",
  ]) {
    const time = parseTimeParameter(text);
    expect(new Date(time?.floor ?? Number.NaN).toISOString()).toMatch(/^(?:0001|9999)-/);
    expect(new Date((time?.ceiling ?? Number.NaN) + 1).toISOString()).toMatch(/^(?:0001|9999)-/);
  }
});
