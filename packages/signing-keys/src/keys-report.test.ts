import { expect, test } from "vitest";
import { KeyTimes } from "./keys-report.ts";

const keys = (...kids: string[]) => kids.map((kid) => ({ kid }));

test("a process tells for how long it has published each key and signed with the active one", () => {
  const times = new KeyTimes();
  times.note(keys("a"), "a", 100);
  times.note(keys("a", "b"), "a", 110.5);
  times.note(keys("a", "b"), "b", 120);
  expect(times.report(125)).toEqual({
    published: ["a", "b"],
    active: "b",
    published_seconds: { a: 25, b: 14 },
    active_seconds: 5,
  });
  times.note(keys("b"), "b", 130);
  times.note(keys("a", "b"), "b", 140);
  expect(times.report(140)).toMatchObject({ published_seconds: { a: 0, b: 29 }, active_seconds: 20 });
});
