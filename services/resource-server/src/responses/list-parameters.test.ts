import { queryValidator, readQuery } from "@partner-connect/service-runtime";
import { expect, test } from "vitest";
import { ApiError, invalidInput } from "../errors/api-error.ts";
import {
  type ListParameters,
  readListParameters,
  withoutOverriddenNames,
} from "./list-parameters.ts";
import { ListQuery } from "./responses.schema.ts";

const validated = queryValidator(ListQuery, invalidInput);
const read = (query: string): ListParameters =>
  readListParameters(validated(withoutOverriddenNames(readQuery(`/api/responses?${query}`))));

function refused(query: string): string | undefined {
  try {
    read(query);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    expect(Object.keys(error.body)).toEqual(["error", "error_description", "param"]);
    expect(error.body["error"]).toBe("invalid_request");
    return error.body["param"];
  }
}

test("the parameters of the list of responses have the spec's defaults", () => {
  const none = { min: null, max: null };
  expect(read("")).toEqual({
    limit: 100,
    sort: "inserted_at_desc",
    cursor: null,
    ranges: { inserted_at: none, updated_at: none },
    sortTime: "inserted_at",
    given: [],
  });
});

test("a cursor may have 64 characters", () => {
  const longest = "🧘".repeat(64);
  expect(read(`after=${encodeURIComponent(longest)}`).cursor?.id).toBe(longest);
});

test("the links of a list in updated_at_asc contain the time updated_at", () => {
  expect(read("sort=updated_at_asc").sortTime).toBe("updated_at");
});

test("a page that could exceed 16 MB is limited in bytes", () => {
  expect(read("limit=112").mostBytes).toBeUndefined();
  expect(read("limit=113").mostBytes).toBe(16 * 1024 * 1024);
});

test("unknown parameters are ignored, even those named like members of an object", () => {
  expect(read("x=1&__proto__=1&constructor=1&LIMIT=5&limit[]=5&sort[a]=b&x=%E9&%E9=1&%zz")).toEqual(
    read(""),
  );
});

test("a parameter that is given twice with the same value counts once", () => {
  expect(read("limit=5&limit=5&after=a&after=a")).toEqual(read("limit=5&after=a"));
});

test.each([
  ["limit=0", "limit"],
  ["limit=1001", "limit"],
  ["limit=-1", "limit"],
  ["limit=1e2", "limit"],
  ["limit=", "limit"],
  ["limit=99999999999999999999", "limit"],
  ["limit=٣", "limit"],
  ["limit=5&limit=6", "limit"],
  ["sort=", "sort"],
  ["sort=id", "sort"],
  ["sort=INSERTED_AT_DESC", "sort"],
  ["sort=toString", "sort"],
  ["sort=updated_at_asc&sort=updated_at_desc", "sort"],
  ["starting_after=a&ending_before=b", "ending_before"],
  ["starting_after=a&before=b", "before"],
  ["after=a&ending_before=b", "ending_before"],
  ["after=a%00b", "after"],
  ["before=", "before"],
  ["starting_after=", "starting_after"],
  ["starting_after=a%00b", "starting_after"],
  [`starting_after=${"x".repeat(65)}`, "starting_after"],
  ["starting_after=a&starting_after=b", "starting_after"],
  ["since=yesterday", "since"],
  ["until=", "until"],
  ["inserted_at_min=2026-01-01T00:00:00Z&inserted_at_min=2026-01-02T00:00:00Z", "inserted_at_min"],
  ["inserted_at_min=2026-01-01", "inserted_at_min"],
  ["updated_at_max=2026-02-30T00:00:00Z", "updated_at_max"],
  ["updated_at_min=%ff", "updated_at_min"],
  ["limit=%zz", "limit"],
  ["cursor_time=2026-01-01T00:00:00Z", "cursor_time"],
  ["cursor_time=x", "cursor_time"],
  ["after=a&cursor_time=1735689600000", "cursor_time"],
  ["after=a&cursor_time=2026-01-01T00:00:00Z&cursor_time=2026-01-02T00:00:00Z", "cursor_time"],
  ["starting_after=a&ending_before=b&cursor_time=x", "cursor_time"],
])("the list refuses %s with 400 (param %s)", (query, param) => expect(refused(query)).toBe(param));

test("the legacy and the canonical name of a parameter have the same meaning", () => {
  const pairs = [
    ["since=2026-01-01T00:00:00Z", "inserted_at_min=2026-01-01T00:00:00Z"],
    ["until=2026-01-01T00:00:00Z", "inserted_at_max=2026-01-01T00:00:00Z"],
    ["after=a", "starting_after=a"],
    ["before=a", "ending_before=a"],
  ] as const;
  for (const [legacy, canonical] of pairs) {
    const { cursor, ...rest } = read(canonical);
    const [name] = legacy.split("=");
    expect(read(legacy)).toEqual({ ...rest, cursor: cursor && { ...cursor, name } });
  }
});

test("a parameter's canonical name overrides its legacy name, in either order", () => {
  const wanted = read("inserted_at_min=2026-01-01T00:00:00Z&starting_after=a");
  expect(
    read("since=bad&inserted_at_min=2026-01-01T00:00:00Z&after=%00&starting_after=a&after=x"),
  ).toEqual(wanted);
  expect(
    read("inserted_at_min=2026-01-01T00:00:00Z&starting_after=a&since=bad&since=worse"),
  ).toEqual(wanted);
});

test("regression: a parameter without a name caused all other parameters to be ignored", () => {
  expect(read("limit=5&=").limit).toBe(5);
});

test("updated_at and sort have no legacy names", () => {
  expect(read("updated_since=2026-01-01T00:00:00Z&order=asc")).toEqual(read(""));
});

test("a range with bounds finer than a millisecond includes only the milliseconds inside it", () => {
  const { ranges } = read(
    "inserted_at_min=2026-01-01T00:00:00.0001Z&inserted_at_max=2026-01-01T00:00:00.0019Z",
  );
  const start = Date.UTC(2026, 0, 1);
  expect(ranges.inserted_at).toEqual({ min: start + 1, max: start + 1 });
});

test.each([
  ["inserted_at_asc", "starting_after", 10],
  ["inserted_at_asc", "ending_before", 11],
  ["inserted_at_desc", "starting_after", 11],
  ["inserted_at_desc", "ending_before", 10],
])(
  "if cursor_time is finer than a millisecond, %s with %s repeats a record rather than skipping one",
  (sort, name, expected) => {
    const { cursor } = read(`sort=${sort}&${name}=a&cursor_time=2026-01-01T00:00:00.0105Z`);
    expect(cursor?.time).toBe(Date.UTC(2026, 0, 1) + expected);
  },
);
