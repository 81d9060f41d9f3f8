import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { suiteServer, type TestShop } from "../testing.ts";
import { SORTS, type SortName } from "./list-parameters.ts";
import { insertRows, type ListBody, type TestRow } from "./testing.ts";

const START = Date.parse("2025-01-01T00:00:00.000Z");
const DAY = 86_400_000;

const server = await suiteServer();

/** A few instants, so that many are equal. */
const instant = fc.nat({ max: 6 }).map((n) => START + n * 10 * DAY);
const bound = fc.nat({ max: 13 }).map((n) => START + (n - 1) * 5 * DAY);

const FATES = ["kept", "kept", "kept", "kept", "deleted", "deleted and imported again"] as const;

interface Row extends TestRow {
  readonly fate: (typeof FATES)[number];
  /** Another time than its own, at which a caller may have seen the record. */
  readonly shown: number;
}

interface Case {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly bounds: Readonly<Record<string, number>>;
}

const records = fc.array(
  fc.record({
    inserted_at: instant,
    updated_at: instant,
    shown: instant,
    fate: fc.constantFrom(...FATES),
  }),
  { minLength: 1, maxLength: 14 },
);
const cases: fc.Arbitrary<Case> = fc.record({
  rows: records.map((all) =>
    all.map((record, i) => ({
      ...record,
      id: `r${(i * 7) % 16}`,
      updated_at: Math.max(record.inserted_at, record.updated_at),
    })),
  ),
  limit: fc.integer({ min: 1, max: 4 }),
  bounds: fc.record(
    {
      inserted_at_min: bound,
      inserted_at_max: bound,
      updated_at_min: bound,
      updated_at_max: bound,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Case["bounds"]>,
});

async function shopOf({ rows }: Case): Promise<TestShop> {
  const shop = await server.newShop();
  await insertRows(server.owner, shop.id, rows);
  const deleted = rows.filter(({ fate }) => fate !== "kept").map(({ id }) => id);
  await server.owner`DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = ANY (${deleted})`;
  await insertRows(
    server.owner,
    shop.id,
    rows.filter(({ fate }) => fate.endsWith("again")),
  );
  return shop;
}

const SIDES = ["starting_after", "ending_before"] as const;
type Side = (typeof SIDES)[number];

interface ModelPage {
  readonly ids: readonly string[];
  readonly hasPrev: boolean;
  readonly hasNext: boolean;
}

/** The spec's page, computed from the rows. */
function modelPage(
  { rows, limit, bounds }: Case,
  sort: SortName,
  side: Side,
  cursor: TestRow,
): ModelPage {
  const { column, descending } = SORTS[sort];
  const order = (a: TestRow, b: TestRow): number =>
    (descending ? -1 : 1) * (a[column] - b[column] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const isListed = (row: Row): boolean =>
    row.fate !== "deleted" &&
    row.inserted_at >= (bounds["inserted_at_min"] ?? -Infinity) &&
    row.inserted_at <= (bounds["inserted_at_max"] ?? Infinity) &&
    row.updated_at >= (bounds["updated_at_min"] ?? -Infinity) &&
    row.updated_at <= (bounds["updated_at_max"] ?? Infinity);
  const listed = rows.filter(isListed).toSorted(order);
  const page =
    side === "starting_after"
      ? listed.filter((row) => order(row, cursor) > 0).slice(0, limit)
      : listed.filter((row) => order(row, cursor) < 0).slice(-limit);
  const [first, last] = [page[0], page.at(-1)];
  return {
    ids: page.map(({ id }) => id),
    hasPrev: first !== undefined && listed.indexOf(first) > 0,
    hasNext: last !== undefined && listed.indexOf(last) < listed.length - 1,
  };
}

async function askedPage(shop: TestShop, query: URLSearchParams): Promise<ModelPage> {
  const response = await server.get(`/api/responses?${query}`, shop.apiKey);
  expect([String(query), response.status]).toEqual([String(query), 200]);
  const { data, prev, next } = (await response.json()) as ListBody;
  return { ids: data.map(({ id }) => id), hasPrev: prev !== null, hasNext: next !== null };
}

describe.each(Object.keys(SORTS) as SortName[])("in %s", (sort) => {
  test("each id as a cursor, without a time, with its own and with another one, gives exactly the model's page, in both directions and within any bounds", async () => {
    const property = fc.asyncProperty(cases, async (model) => {
      const shop = await shopOf(model);
      const given = Object.entries(model.bounds).map(([name, at]): [string, string] => [
        name,
        new Date(at).toISOString(),
      ]);
      for (const cursor of model.rows) {
        for (const side of SIDES) {
          const { column } = SORTS[sort];
          for (const at of [undefined, cursor[column], cursor.shown]) {
            const time = at !== undefined && { cursor_time: new Date(at).toISOString() };
            const asked = { sort, limit: String(model.limit), [side]: cursor.id, ...time };
            const query = new URLSearchParams([...given, ...Object.entries(asked)]);
            const expected = modelPage(model, sort, side, {
              ...cursor,
              [column]: at ?? cursor[column],
            });
            expect([String(query), await askedPage(shop, query)]).toEqual([
              String(query),
              expected,
            ]);
          }
        }
      }
    });
    await fc.assert(property, { numRuns: process.env["TEST_NIGHTLY"] ? 25 : 8 });
  }, 120_000);
});
