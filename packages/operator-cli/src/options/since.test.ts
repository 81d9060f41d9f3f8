import { expect, test } from "vitest";
import { parseSince } from "./values.ts";

// Of the machine's own time zone.
const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts);
const NOW = local(2026, 10, 22, 10, 30);

test.each<[string, Date]>([
  ["90s", local(2026, 10, 22, 10, 28, 30)],
  ["2h", local(2026, 10, 22, 8, 30)],
  ["09:00", local(2026, 10, 22, 9)],
  ["9:00", local(2026, 10, 22, 9)],
  ["10:30", NOW],
  ["10:29:59", local(2026, 10, 22, 10, 29, 59)],
  ["10:31", local(2026, 10, 21, 10, 31)],
  ["23:00", local(2026, 10, 21, 23)],
  ["2026-11-22", local(2026, 10, 22)],
  ["2024-02-29", local(2024, 1, 29)],
  ["2026-11-01T09:00:00Z", new Date("2026-11-01T09:00:00Z")],
  ["2026-11-01T09:00:00.25+01:00", new Date("2026-11-01T08:00:00.250Z")],
])("%s is a time", (text, instant) => {
  expect(parseSince(text, NOW)).toEqual(instant);
});

test.each(["", "nine", "24:00", "9", "2026-11-31", "2026-1-1", "2026-11-22 09:00", "2h30m", "-1h", "2026-11-01T09:00"])(
  "%j is none",
  (text) => {
    expect(() => parseSince(text, NOW)).toThrow(/is not a time such as 2h, 3d, 09:00/);
  },
);

test.each(["2026-11-23", "2027-01-01T00:00:00Z"])("%s has not been yet", (text) => {
  expect(() => parseSince(text, NOW)).toThrow(/is in the future/);
});
