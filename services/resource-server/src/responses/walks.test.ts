import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { SORTS, type SortName } from "./list-parameters.ts";
import { insertRows, type ListBody, seeded, type TestRow } from "./testing.ts";

const DAY = 86_400_000;
const START = Date.parse("2024-01-10T00:00:00.000Z");

type Filter = Readonly<
  Partial<Record<"inserted_at_min" | "inserted_at_max" | "updated_at_min" | "updated_at_max", number>>
>;

/** Rows on few instants, over many months, a third of them updated later, many of those at one instant. */
function tiedRows(count: number, seed: number): TestRow[] {
  const random = seeded(seed);
  const instants = Array.from({ length: 12 }, (_, i) => START + i * 37 * DAY + (i % 3) * 12_345);
  const pick = (): number => instants[Math.floor(random() * instants.length)] ?? START;
  return Array.from({ length: count }, (_, i) => {
    const inserted = pick();
    const updated = random() < 0.35 ? Math.max(inserted, random() < 0.5 ? START + 300 * DAY : pick()) : inserted;
    return { id: `r${Math.floor(random() * 1e9).toString(36)}_${i}`, inserted_at: inserted, updated_at: updated };
  });
}

/** The order that the spec asks for, computed from the rows alone. */
function expectedOrder(rows: readonly TestRow[], sort: SortName, filter: Filter): string[] {
  const { column, descending } = SORTS[sort];
  const way = descending ? -1 : 1;
  return rows
    .filter(
      (row) =>
        row.inserted_at >= (filter.inserted_at_min ?? -Infinity) &&
        row.inserted_at <= (filter.inserted_at_max ?? Infinity) &&
        row.updated_at >= (filter.updated_at_min ?? -Infinity) &&
        row.updated_at <= (filter.updated_at_max ?? Infinity),
    )
    .sort((a, b) => way * (a[column] - b[column] || (a.id < b.id ? -1 : 1)))
    .map((row) => row.id);
}

const BOUNDS: Record<keyof Required<Filter>, number> = {
  inserted_at_min: START + 2 * 37 * DAY + 24_690,
  inserted_at_max: START + 8 * 37 * DAY + 24_690,
  updated_at_min: START + 4 * 37 * DAY,
  updated_at_max: START + 300 * DAY,
};

const SORT_NAMES = Object.keys(SORTS) as SortName[];
const EVERY_COMBINATION = Array.from({ length: 16 }, (_, mask) => mask);

/**
 * The combinations of the four filters that are tried with a sort: one bit for each filter. Two of them, so that with the
 * other sorts' each pair of a sort and a filter, and of two filters, is tried with both and without; by night all sixteen.
 */
function filtersOf(sort: SortName): Filter[] {
  const some = [0b0000, 0b0011, 0b0101, 0b0110][SORT_NAMES.indexOf(sort)] ?? 0;
  const masks = process.env["TEST_NIGHTLY"] ? EVERY_COMBINATION : [some, 0b1111 - some];
  return masks.map((mask) => Object.fromEntries(Object.entries(BOUNDS).filter((_entry, bit) => mask & (1 << bit))));
}

let server: TestResourceServer;
const shops: { shop: TestShop; rows: TestRow[]; limits: number[] }[] = [];

beforeAll(async () => {
  server = await testResourceServer();
  for (const [count, limits] of [
    [40, [1, 7]],
    // Most ranges have more than are gathered and sorted (merged-index-walk.query.ts).
    [4200, [300, 1000]],
  ] as const) {
    const shop = await server.newShop();
    const rows = tiedRows(count, count);
    await insertRows(server.owner, shop.id, rows);
    shops.push({ shop, rows, limits: [...limits] });
  }
  await server.owner`ANALYZE survey.responses`;
});

afterAll(() => server.close());

async function page(shop: TestShop, url: string): Promise<ListBody> {
  expect(url.startsWith(`${ISSUER}/api/responses`)).toBe(true);
  const response = await server.get(url.slice(ISSUER.length), `Bearer ${shop.token}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ListBody;
}

describe.each(SORT_NAMES)("walks in %s", (sort) => {
  test.each(filtersOf(sort).map((filter) => [Object.keys(filter).join(" and ") || "nothing", filter] as const))(
    "show every row once, in order, both ways, filtered by %s",
    async (_, filter) => {
      for (const { shop, rows, limits } of shops) {
        const expected = expectedOrder(rows, sort, filter);
        for (const limit of limits) {
          const query = new URLSearchParams({ sort, limit: String(limit) });
          for (const [name, at] of Object.entries(filter)) query.set(name, new Date(at).toISOString());
          const walked: string[] = [];
          let url: string | null = `${ISSUER}/api/responses?${query}`;
          let last = url;
          while (url !== null) {
            const body: ListBody = await page(shop, url);
            expect(body.prev === null).toBe(walked.length === 0);
            if (expected.length > 0) expect(body.data.length).toBe(Math.min(limit, expected.length - walked.length));
            walked.push(...body.data.map((row) => row.id));
            expect(body.next === null).toBe(walked.length >= expected.length);
            last = url;
            url = body.next;
          }
          expect(walked).toEqual(expected);

          const back: string[] = [];
          let rest = expected.length;
          for (url = last; url !== null; ) {
            const body: ListBody = await page(shop, url);
            expect(body.next === null).toBe(rest === expected.length);
            back.unshift(...body.data.map((row) => row.id));
            rest -= body.data.length;
            expect(body.prev === null).toBe(rest === 0);
            url = body.prev;
          }
          expect(back).toEqual(expected);
        }
      }
    },
    60_000,
  );
});

test("a page of large records ends at 16 MB, and next and prev lead on to all others", async () => {
  const large = await server.newShop();
  const ids = Array.from({ length: 300 }, (_, i) => `r${String(i).padStart(3, "0")}`);
  await server.owner`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${large.id}, id, at, at, survey.record_doc('{"id":' || to_json(id)::text, at, at,
      ',"response":"' || repeat('x', 130000) || '"}')
    FROM unnest(${ids}::text[]) AS id, (SELECT timestamptz '2025-01-01T00:00:00Z' AS at) time`;
  for (const [link, first, order] of [
    ["next", "sort=inserted_at_asc", ids],
    ["prev", "sort=inserted_at_asc&ending_before=r299", ids.slice(0, -1).toReversed()],
  ] as const) {
    const seen: string[] = [];
    const lengths: number[] = [];
    for (let path: string | null = `/api/responses?limit=1000&${first}`; path !== null; ) {
      const text: string = await (await server.get(path, large.apiKey)).text();
      const page = JSON.parse(text) as ListBody;
      const pageIds = page.data.map(({ id }) => id);
      seen.push(...(link === "prev" ? pageIds.toReversed() : pageIds));
      lengths.push(text.length);
      path = page[link]?.slice(ISSUER.length) ?? null;
    }
    expect(seen).toEqual(order);
    expect(lengths.map((length) => Math.ceil(length / 2 ** 20))).toEqual([16, 16, 6]);
  }
});
