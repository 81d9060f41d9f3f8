import fc from "fast-check";
import { expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";

const { sql } = await suiteDatabase();

test("a text array that is passed as a parameter has the same elements in Postgres and in the result", async () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("", "NULL", "null", "{", "}", ",", '"', "\\", '\\"', " ", "\n", "a,b", "{a}"),
  );
  const element = fc.option(text.map((value) => value.replaceAll("\0", "")));
  const property = fc.asyncProperty(fc.array(element, { maxLength: 8 }), async (texts) => {
    const [row] = await sql<{ texts: string[]; count: number; last: string | null }[]>`
      SELECT given AS texts, cardinality(given) AS count, given[cardinality(given)] AS last
      FROM (SELECT ${texts}::text[] AS given) row`;
    expect(row).toEqual({ texts, count: texts.length, last: texts.at(-1) ?? null });
  });
  await fc.assert(property, { numRuns: 300 });
});

test("arrays of numbers and of times can be passed as parameters", async () => {
  const [row] = await sql`
    SELECT (SELECT sum(n) FROM unnest(${[1, 2, 3]}::int[]) n)::int AS integers,
      (SELECT sum(n) FROM unnest(${["4", "5"]}::bigint[]) n)::int AS bigints,
      (SELECT max(t) FROM unnest(${["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]}::timestamptz[]) t) AS latest`;
  expect(row).toEqual({ integers: 6, bigints: 9, latest: new Date("2026-01-02T00:00:00Z") });
});
