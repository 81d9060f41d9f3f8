import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { positionQuery, type ResponsePosition, readPosition, readResponses } from "./read-responses.ts";

/** 60 responses; each two have one time. */
function filled() {
  const database = openDatabase(":memory:");
  const put = database.prepare("INSERT INTO responses VALUES ('con_1', ?, ?, 1, 'TV', ?)");
  for (let index = 0; index < 60; index++) {
    const id = `res_${String(index).padStart(2, "0")}`;
    const time = `2026-11-21T01:00:${String(Math.floor(index / 2)).padStart(2, "0")}.000Z`;
    put.run(id, time, JSON.stringify({ id, inserted_at: time }));
  }
  return (position: ResponsePosition | null) => readResponses(database, "con_1", position);
}

test("pages show every response once, the newest first, and lead back to the first page", () => {
  const pageAt = filled();
  const seen: string[] = [];
  let page = pageAt(null);
  expect(page.newer).toBe(null);
  for (;;) {
    seen.push(...page.responses.map(({ id }) => id));
    if (!page.older) break;
    page = pageAt(readPosition(queryOf(positionQuery(page.older))));
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `res_${String(59 - index).padStart(2, "0")}`));
  while (page.newer) page = pageAt(page.newer);
  expect(page).toEqual(pageAt(null));
});

test.each(["", "?older=yesterday", "?older=2026-11-21T01:00:00Z~a%27b", "?newer=", "?older=a&older=b"])(
  "a position that is none means the first page: %s",
  (query) => {
    expect(readPosition(queryOf(query))).toBe(null);
  },
);

function queryOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}
