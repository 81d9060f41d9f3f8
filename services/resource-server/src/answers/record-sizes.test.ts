import { expect, test } from "vitest";
import { RecordSizes } from "./record-sizes.ts";

test("a shop's records are expected as large as the latest thousands were, and as 1 KB each before any was seen", () => {
  const sizes = new RecordSizes();
  expect(sizes.expect("a", 100)).toBe(102_400);
  sizes.note("a", 1000, 10_000_000);
  expect(sizes.expect("a", 1)).toBe((1024 + 10_000) / 2);
  for (let i = 0; i < 20; i++) sizes.note("a", 1000, 10_000_000);
  expect(sizes.expect("a", 1000)).toBeGreaterThan(9_999_000);
  expect(sizes.expect("b", 100)).toBe(102_400);
});

test("an answer is expected to have at least one byte, also of a shop without records", () => {
  const sizes = new RecordSizes();
  for (let i = 0; i < 100; i++) sizes.note("a", 1000, 0);
  expect(sizes.expect("a", 1)).toBe(1);
});
