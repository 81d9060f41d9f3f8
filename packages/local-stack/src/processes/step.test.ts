import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { step } from "./supervised-process.ts";

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const report = (line: string) => void lines.push(line);

test("a step is named when it begins, and every ten seconds until it has ended", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const result = step(report, "installing Redis", () => promise);
  expect(lines).toEqual(["installing Redis"]);
  vi.advanceTimersByTime(25_000);
  resolve("done");
  expect(await result).toBe("done");
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(["installing Redis", "still installing Redis (10 s)", "still installing Redis (20 s)"]);
});

test("a step that fails is not named any more", async () => {
  await expect(step(report, "installing Redis", () => Promise.reject(new Error("no network")))).rejects.toThrow(
    "no network",
  );
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(["installing Redis"]);
});
