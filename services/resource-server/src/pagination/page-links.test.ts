import { expect, test } from "vitest";
import { pageLinks } from "./page.ts";

const API = "https://api.example/api/responses";
const first = { id: "a+b", time: "2026-01-01T00:00:00.001Z" };
const last = { id: "ü", time: "2026-01-01T00:00:00.002Z" };
const given = [["limit", "5"]] as const;

test("a link has the given parameters, the id of the page's edge and its time, if the list has one", () => {
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

test("a page has `prev` and `next` only where records lie beyond it", () => {
  const edges = { first, last, hasPrev: false, hasNext: false };
  for (const none of [edges, null])
    expect(pageLinks(API, given, none)).toEqual({ prev: null, next: null });
});
