import { expect, test } from "vitest";
import { pageLinks } from "./page.ts";

const API = "https://api.example/api/responses";
const first = { id: "a+b", time: "2026-01-01T00:00:00.001Z" };
const last = { id: "ü", time: "2026-01-01T00:00:00.002Z" };
const given = [["limit", "5"]] as const;

test("a page link contains the given parameters and the edge record's id, plus that record's time in lists sorted by time", () => {
  const edges = { first, last, hasPrev: true, hasNext: true };
  const byId = { ...edges, first: { ...first, time: "" }, last: { ...last, time: "" } };
  expect(pageLinks(API, given, byId)).toEqual({
    prev: `${API}?limit=5&ending_before=a%2Bb`,
    next: `${API}?limit=5&starting_after=%C3%BC`,
  });
  expect(pageLinks(API, [], edges)).toEqual({
    prev: `${API}?ending_before=a%2Bb&cursor_time=2026-01-01T00%3A00%3A00.001Z`,
    next: `${API}?starting_after=%C3%BC&cursor_time=2026-01-01T00%3A00%3A00.002Z`,
  });
});

test("a page's `prev` and `next` are null if there are no records beyond the page", () => {
  const edges = { first, last, hasPrev: false, hasNext: false };
  for (const none of [edges, null])
    expect(pageLinks(API, given, none)).toEqual({ prev: null, next: null });
});
