import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

test.each([
  [4, "just now"],
  [5, "5 s ago"],
  [59.9, "59 s ago"],
  [60, "1 min ago"],
  [3600, "1 h ago"],
  [86_400, "1 d ago"],
  [30 * 86_400 - 1, "29 d ago"],
  [30 * 86_400, "1 mo ago"],
  [366 * 86_400, "1 y ago"],
  [-80, "in 1 min"],
  [-30 * 86_400, "in 1 mo"],
])("%f seconds before now is '%s'", (seconds, text) => {
  expect(relativeTime(new Date(NOW.getTime() - seconds * 1000), NOW)).toBe(text);
});
