import { expect, test } from "vitest";
import { channelCounts } from "./channel-counts.ts";

const named = (channel: string, day: string, amount = 1) => ({ channel, day, amount });

test("a short time has a column for each day, also for those on which nobody answered", () => {
  const counts = channelCounts("Why?", [named("TV", "2026-02-27", 2), named("Radio", "2026-03-02")]);
  expect(counts).toEqual({
    question: "Why?",
    channels: ["TV", "Radio"],
    periods: [
      { name: "2026-02-27", counts: [2, 0] },
      { name: "2026-02-28", counts: [0, 0] },
      { name: "2026-03-01", counts: [0, 0] },
      { name: "2026-03-02", counts: [0, 1] },
    ],
  });
});

test("a long time has a column for each month", () => {
  const { periods } = channelCounts("Why?", [
    named("TV", "2025-12-31"),
    named("TV", "2026-02-01", 3),
    named("TV", "2026-02-28", 4),
  ]);
  expect(periods).toEqual([
    { name: "2025-12", counts: [1] },
    { name: "2026-01", counts: [0] },
    { name: "2026-02", counts: [7] },
  ]);
});

test("the most named channels have a place of their own, the rest is one; no count is lost", () => {
  const days = Array.from({ length: 9 }, (_, index) => named(`channel ${index}`, "2026-01-01", 10 + index));
  const { channels, periods } = channelCounts("Why?", days);
  expect(channels).toEqual([8, 7, 6, 5, 4, 3].map((index) => `channel ${index}`).concat("Everything else"));
  expect(periods).toEqual([{ name: "2026-01-01", counts: [18, 17, 16, 15, 14, 13, 33] }]);
});
