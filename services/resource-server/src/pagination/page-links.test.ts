import { expect, test } from "vitest";
import { pageLinks } from "./page-links.ts";

const API = "https://api.example/api/responses";
const first = { id: "a+b", insertedAt: "2026-01-01T00:00:00.001Z", updatedAt: "u1" };
const last = { id: "ü", insertedAt: "i2", updatedAt: "2026-01-01T00:00:00.002Z" };
const given = [["limit", "5"]] as const;

test("a link has the given parameters, the id of the page's edge and its time, if the list has one", () => {
  const edges = { first, last, precedes: true, follows: true };
  expect(pageLinks(API, { given }, edges)).toEqual({
    prev: `${API}?limit=5&ending_before=a%2Bb`,
    next: `${API}?limit=5&starting_after=%C3%BC`,
  });
  expect(pageLinks(API, { given: [], linkTime: "updatedAt" }, edges)).toEqual({
    prev: `${API}?ending_before=a%2Bb&cursor_time=u1`,
    next: `${API}?starting_after=%C3%BC&cursor_time=2026-01-01T00%3A00%3A00.002Z`,
  });
});

test("a page without records before or after it, or without any, has no link there", () => {
  const edges = { first, last, precedes: false, follows: false };
  for (const none of [edges, null])
    expect(pageLinks(API, { given }, none)).toEqual({ prev: null, next: null });
});
