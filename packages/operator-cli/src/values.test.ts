import { beforeEach, expect, test, vi } from "vitest";
import { pastTimeParser } from "./values.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T10:30:00Z") });
});

test.each([
  ["90s", "2026-11-22T10:28:30.000Z"],
  ["2h", "2026-11-22T08:30:00.000Z"],
  ["2026-11-22", "2026-11-22T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2026-11-01T09:00:00Z", "2026-11-01T09:00:00.000Z"],
  ["2026-11-01T09:00:00.25+01:00", "2026-11-01T08:00:00.250Z"],
])("%s is accepted as a past time", (text, instant) => {
  expect(pastTimeParser("--since")(text).toISOString()).toBe(instant);
});

test.each([
  "",
  "nine",
  "9",
  "2026-11-31",
  "2026-1-1",
  "2026-11-22 09:00",
  "2h30m",
  "-1h",
  "2026-11-01T09:00",
])("%j is refused as a time", (text) => {
  expect(() => pastTimeParser("--since")(text)).toThrow(/--since .* is not a time such as 2h, 3d/);
});

test.each(["2026-11-23", "2027-01-01T00:00:00Z"])(
  "%s is refused as a time in the future",
  (text) => {
    expect(() => pastTimeParser("--since")(text)).toThrow(/is in the future/);
  },
);
