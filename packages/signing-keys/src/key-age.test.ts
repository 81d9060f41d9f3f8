import { expect, test } from "vitest";
import { isOldKey, keyAge } from "./signing-key.ts";

const DAY = 24 * 60 * 60 * 1000;
const createdAt = new Date("2026-01-01T00:00:00Z");
const after = (days: number) => new Date(createdAt.getTime() + days * DAY);

test("a key is old after 90 days", () => {
  expect([isOldKey({ createdAt }, after(90)), isOldKey({ createdAt }, after(90.01))]).toEqual([false, true]);
  expect([keyAge({ createdAt }, after(2)), keyAge({ createdAt }, after(-1))]).toEqual([2 * DAY, 0]);
});
