import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTimestamp } from "./time-parameters.ts";

const exact = (time: number) => ({ floor: time, ceiling: time });
const two = (value: number): string => String(value).padStart(2, "0");

describe("a timestamp", () => {
  test("as a record shows it is exactly that millisecond", () => {
    const times = fc.integer({ min: Date.UTC(1970), max: Date.UTC(2100) });
    fc.assert(
      fc.property(times, (time) => {
        expect(parseTimestamp(new Date(time).toISOString())).toEqual(exact(time));
      }),
    );
  });

  test("with any offset is the same instant, its plus sign as a space too", () => {
    const parts = fc.record({
      time: fc.integer({ min: Date.UTC(1990), max: Date.UTC(2090) }),
      sign: fc.constantFrom("+", "-", " "),
      hours: fc.nat({ max: 23 }),
      minutes: fc.nat({ max: 59 }),
    });
    fc.assert(
      fc.property(parts, ({ time, sign, hours, minutes }) => {
        const shift = (hours * 60 + minutes) * 60_000 * (sign === "-" ? -1 : 1);
        const local = new Date(time + shift).toISOString().replace("Z", `${sign}${two(hours)}:${two(minutes)}`);
        expect(parseTimestamp(local)).toEqual(exact(time));
      }),
    );
  });

  test("finer than a millisecond lies between the two next to it", () => {
    const at = Date.UTC(2026, 0, 1);
    expect(parseTimestamp("2026-01-01T00:00:00.000001Z")).toEqual({ floor: at, ceiling: at + 1 });
    expect(parseTimestamp("2026-01-01T00:00:00.999999Z")).toEqual({ floor: at + 999, ceiling: at + 1000 });
    expect(parseTimestamp("2026-01-01T00:00:00.5Z")).toEqual(exact(at + 500));
    expect(parseTimestamp("2026-01-01T00:00:00.123000Z")).toEqual(exact(at + 123));
    expect(parseTimestamp("2026-01-01T00:00:00.123000001+00:00")).toEqual({ floor: at + 123, ceiling: at + 124 });
  });

  test("at the ends of the calendar stays within what Postgres knows", () => {
    for (const text of ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999-23:59"]) {
      const time = parseTimestamp(text);
      expect(new Date(time?.floor ?? Number.NaN).toISOString()).toMatch(/^(?:0001|9999)-/);
      expect(new Date((time?.ceiling ?? Number.NaN) + 1).toISOString()).toMatch(/^(?:0001|9999)-/);
    }
  });

  test.each([
    "",
    "2026",
    "2026-01-01",
    "2026-01-01T00:00Z",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00,5Z",
    "2026-01-01T00:00:00+01",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-00-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "26-01-01T00:00:00Z",
    "+02026-01-01T00:00:00Z",
    "2026-1-1T00:00:00Z",
    "2026-01-01 00:00:00Z",
    " 2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z ",
    "2026-01-01T00:00:00Z\n",
    "２０２６-01-01T00:00:00Z",
    "now",
    "1735689600",
    "infinity",
  ])("is not %j", (text) => expect(parseTimestamp(text)).toBeNull());

  test("is nothing or a time, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (text) => parseTimestamp(text) === null));
  });
});
