import { expect, test } from "vitest";
import { type FeedRow, formatCursor, pageOf, parseCursor } from "./cursor.ts";

const EPOCH = "0123456789ab";

test("a cursor parses to its number and epoch only for its own client", () => {
  for (const cursor of [
    { number: 0, epoch: "" },
    { number: 1, epoch: EPOCH },
    { number: Number.MAX_SAFE_INTEGER, epoch: EPOCH },
  ]) {
    const text = formatCursor(cursor, "client_1");
    expect(text).toMatch(/^[\w-]{1,200}$/);
    expect(parseCursor(text, "client_1")).toEqual(cursor);
    expect(parseCursor(text, "client_2")).toBeNull();
  }
});

test("an edited or malformed cursor parses to null", () => {
  const text = formatCursor({ number: 17, epoch: EPOCH }, "client_1");
  for (let index = 0; index < text.length; index++) {
    const other = text[index] === "A" ? "B" : "A";
    expect(
      parseCursor(text.slice(0, index) + other + text.slice(index + 1), "client_1"),
    ).toBeNull();
  }
  const larger = Buffer.from(
    Buffer.from(text, "base64url").toString().replace(".17.", ".18."),
  ).toString("base64url");
  for (const wrong of [
    "",
    "0",
    "con_01",
    `${text}=`,
    ` ${text}`,
    `${text}A`,
    text.slice(1),
    larger,
    formatCursor({ number: 2 ** 53, epoch: EPOCH }, "client_1"),
    "x".repeat(5000),
  ]) {
    expect(parseCursor(wrong, "client_1"), wrong).toBeNull();
  }
});

const feed = { last: 30, epoch: "third", past: { second: 20, first: 10 } };
const rows = (...numbers: (number | null)[]): FeedRow[] =>
  numbers.map((number) => ({ ...feed, number }));

test.each([
  ["includes", 0, ""],
  ["includes", 10, "first"],
  ["excludes", 11, "first"],
  ["includes", 20, "second"],
  ["excludes", 21, "second"],
  ["includes", 30, "third"],
  ["excludes", 31, "third"],
  ["excludes", 1, "unknown"],
])("the feed's history %s a cursor at %i of epoch %j", (verdict, number, epoch) => {
  expect(pageOf({ number, epoch }, rows(null), 2) === null).toBe(verdict === "excludes");
});

test("a feed without a row of its position has no page", () => {
  expect(pageOf({ number: 0, epoch: "" }, [], 2)).toBeNull();
});

test.each([
  ["an empty page", rows(null), [], { number: 30, epoch: "third" }],
  ["the last page", rows(28, 29, 30), [28, 29, 30], { number: 30, epoch: "third" }],
  ["a page of the first epoch", rows(8, 9, 10, 11), [8, 9, 10], { number: 10, epoch: "first" }],
  ["a page of the second epoch", rows(9, 10, 11, 12), [9, 10, 11], { number: 11, epoch: "second" }],
  ["a page of the third epoch", rows(19, 20, 21, 22), [19, 20, 21], { number: 21, epoch: "third" }],
])("%s ends with the cursor of the last number that it covers", (_, found, numbers, cursor) => {
  const page = pageOf({ number: 0, epoch: "" }, found, 3);
  expect(page?.page.map(({ number }) => number)).toEqual(numbers);
  expect(page).toMatchObject({ cursor, hasMore: found.length > 3 });
});
