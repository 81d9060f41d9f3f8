import { expect, test } from "vitest";
import { parseSpan } from "../control/control-server.ts";

test.each([
  ["90s", 90],
  ["15m", 900],
  ["2h", 7200],
  ["31d", 2_678_400],
  ["2w", 1_209_600],
  ["1d12h", 129_600],
  ["P31D", 2_678_400],
  ["PT15M", 900],
  ["P1DT2H3M4S", 93_784],
  ["P2W", 1_209_600],
])("%s is a time", (text, seconds) => {
  expect(parseSpan(text)).toBe(seconds * 1000);
});

test.each([
  "",
  "0s",
  "PT0S",
  "P",
  "PT",
  "P1DT",
  "15",
  "m",
  "-5m",
  "+5m",
  "1.5h",
  "1h1d",
  "P1M",
  "P1Y",
  "15 m",
  "1e3s",
  "9999999999s",
])("%j is none", (text) => {
  expect(parseSpan(text)).toBeNull();
});
