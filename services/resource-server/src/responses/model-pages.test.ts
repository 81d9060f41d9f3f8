import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { suiteServer, type TestShop } from "../testing.ts";
import { SORTS, type SortName } from "./list-parameters.ts";
import { insertRows, type ListBody, type TestRow } from "./testing.ts";

/** Shops in which nothing changes: there a cursor means its record's place, whether a page showed it and where on the page. */
const START = Date.parse("2025-01-01T00:00:00.000Z");
const DAY = 86_400_000;

const server = await suiteServer();

/** A few instants, so that many are equal; they lie in several of the index's bins. */
const instant = fc.nat({ max: 6 }).map((n) => START + n * 10 * DAY);
const bound = fc.option(fc.nat({ max: 13 }).map((n) => START + (n - 1) * 5 * DAY));

const shops = fc.record({
  records: fc.array(fc.record({ inserted: instant, changed: instant, isDeleted: fc.nat({ max: 5 }) }), {
    minLength: 1,
    maxLength: 14,
  }),
  limit: fc.integer({ min: 1, max: 4 }),
  inserted: fc.tuple(bound, bound),
  updated: fc.tuple(bound, bound),
});
type Generated = typeof shops extends fc.Arbitrary<infer T> ? T : never;

interface Case {
  readonly rows: readonly TestRow[];
  readonly deleted: ReadonlySet<string>;
  readonly limit: number;
  readonly bounds: Readonly<Record<string, number>>;
}

function caseOf({ records, limit, inserted, updated }: Generated): Case {
  const rows = records.map((record, i) => ({
    id: `r${(i * 7) % 16}`,
    inserted_at: record.inserted,
    updated_at: Math.max(record.inserted, record.changed),
  }));
  const bounds = {
    inserted_at_min: inserted[0],
    inserted_at_max: inserted[1],
    updated_at_min: updated[0],
    updated_at_max: updated[1],
  };
  return {
    rows,
    deleted: new Set(rows.filter((_, i) => records[i]?.isDeleted === 0).map(({ id }) => id)),
    limit,
    bounds: Object.fromEntries(Object.entries(bounds).flatMap(([name, at]) => (at === null ? [] : [[name, at]]))),
  };
}

async function shopOf({ rows, deleted }: Case): Promise<TestShop> {
  const shop = await server.newShop();
  await insertRows(server.owner, shop.id, rows);
  await server.owner`DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = ANY (${[...deleted]})`;
  return shop;
}

const SIDES = ["starting_after", "ending_before"] as const;
type Side = (typeof SIDES)[number];

interface ModelPage {
  readonly ids: readonly string[];
  readonly hasPrev: boolean;
  readonly hasNext: boolean;
}

/** The page as the spec says it, from the rows alone. */
function modelPage({ rows, deleted, limit, bounds }: Case, sort: SortName, side: Side, cursor: TestRow): ModelPage {
  const { column, descending } = SORTS[sort];
  const order = (a: TestRow, b: TestRow): number =>
    (descending ? -1 : 1) * (a[column] - b[column] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const isListed = (row: TestRow): boolean =>
    !deleted.has(row.id) &&
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
  test("each id as a cursor, alone and with its time, gives exactly the model's page, in both directions and within any bounds", async () => {
    const property = fc.asyncProperty(shops, async (generated) => {
      const model = caseOf(generated);
      const shop = await shopOf(model);
      const given = Object.entries(model.bounds).map(([name, at]): [string, string] => [
        name,
        new Date(at).toISOString(),
      ]);
      for (const cursor of model.rows) {
        for (const side of SIDES) {
          for (const time of [{}, { cursor_time: new Date(cursor[SORTS[sort].column]).toISOString() }]) {
            const query = new URLSearchParams([
              ...given,
              ...Object.entries({ sort, limit: String(model.limit), [side]: cursor.id, ...time }),
            ]);
            expect([String(query), await askedPage(shop, query)]).toEqual([
              String(query),
              modelPage(model, sort, side, cursor),
            ]);
          }
        }
      }
    });
    await fc.assert(property, { numRuns: process.env["TEST_NIGHTLY"] ? 25 : 8 });
  }, 120_000);
});
