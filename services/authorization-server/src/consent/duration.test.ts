import { expect, test } from "vitest";
import { duration } from "./consent.view.ts";

test.each([
  [2_592_000, "en", "30 days"],
  [86_400, "en", "1 day"],
  [129_600, "en", "36 hours"],
  [90, "en", "90 seconds"],
  [5400, "en", "90 minutes"],
  [2_592_000, "de-AT", "30 Tage"],
])("%i seconds are in %s '%s'", (seconds, language, text) => {
  expect(duration(seconds, language)).toBe(text);
});
