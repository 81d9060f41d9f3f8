import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { suiteServer } from "../testing.ts";
import { SORTS, type SortName } from "./list-parameters.ts";
import { insertRows, type ListBody, type TestRow } from "./testing.ts";

const START = Date.parse("2025-01-01T00:00:00.000Z");
const BOUNDS = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"] as const;
const FATES = ["kept", "kept", "kept", "kept", "deleted", "deleted and imported again"] as const;
const SIDES = ["starting_after", "ending_before"] as const;
const PAGES = 60;

const server = await suiteServer();

interface Row extends TestRow {
  readonly fate: (typeof FATES)[number];
}

interface Asked {
  readonly limit: number;
  readonly bounds: Partial<Record<(typeof BOUNDS)[number], number>>;
  /** The row's number, and perhaps another time at which a caller may have seen the record. */
  readonly cursor: {
    readonly n: number;
    readonly side: (typeof SIDES)[number];
    readonly at?: number;
  } | null;
}

/** Six milliseconds, so that many times are equal, or next to a bound. */
const instant = fc.nat(5).map((n) => START + n);

/** Ids of up to 64 arbitrary characters, in another order than the rows. */
const idOf = (n: number) => (n % 8 ? `r${(n * 7) % 64}` : `${"cebad"[n / 8]}${"😀".repeat(63)}`);

const rows = fc.array(fc.tuple(instant, instant, fc.boolean(), fc.constantFrom(...FATES)), {
  minLength: 20,
  maxLength: 40,
  size: "max",
});
const asked: fc.Arbitrary<Asked> = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  bounds: fc.record(Object.fromEntries(BOUNDS.map((name) => [name, instant])), {
    requiredKeys: [],
  }),
  cursor: fc.option(
    fc.record(
      { n: fc.nat(19), side: fc.constantFrom(...SIDES), at: instant },
      { requiredKeys: ["n", "side"] },
    ),
    { freq: 9 },
  ),
});
/** Without a bias to small and extreme values. */
const cases = fc.noBias(fc.tuple(rows, fc.array(asked, { minLength: PAGES, maxLength: PAGES })));

/** The spec's page, computed from the rows. */
function modelPage(all: readonly Row[], sort: SortName, { limit, bounds, cursor }: Asked) {
  const { column, descending } = SORTS[sort];
  const order = (a: TestRow, b: TestRow): number =>
    (descending ? -1 : 1) *
    (a[column] - b[column] || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
  const isWithin = (time: number, min = -Infinity, max = Infinity) => time >= min && time <= max;
  const listed = all
    .filter(
      ({ fate, inserted_at, updated_at }) =>
        fate !== "deleted" &&
        isWithin(inserted_at, bounds.inserted_at_min, bounds.inserted_at_max) &&
        isWithin(updated_at, bounds.updated_at_min, bounds.updated_at_max),
    )
    .toSorted(order);
  const row = cursor && all[cursor.n];
  const at = row && { ...row, [column]: cursor.at ?? row[column] };
  const page =
    cursor?.side === "ending_before"
      ? listed.filter((each) => at && order(each, at) < 0).slice(-limit)
      : listed.filter((each) => !at || order(each, at) > 0).slice(0, limit);
  const [first, last] = [page[0], page.at(-1)];
  return {
    ids: page.map(({ id }) => id),
    hasPrev: first !== undefined && first !== listed[0],
    hasNext: last !== undefined && last !== listed.at(-1),
  };
}

describe.each(Object.keys(SORTS) as SortName[])("in %s", (sort) => {
  test("each page of responses equals the page that a model computes, for any cursor, direction and bounds", async () => {
    const property = fc.asyncProperty(cases, async ([times, pages]) => {
      const all = times.map(([one, other, isChanged, fate], n): Row => {
        const [inserted_at, updated_at] = isChanged ? [one, other].sort() : [one, one];
        return { id: idOf(n), inserted_at: inserted_at ?? 0, updated_at: updated_at ?? 0, fate };
      });
      const shop = await server.newShop();
      await insertRows(server.owner, shop.id, all);
      const deleted = all.filter(({ fate }) => fate !== "kept");
      await server.owner`
        DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = ANY (${deleted.map(({ id }) => id)})`;
      const again = deleted.filter(({ fate }) => fate !== "deleted");
      await insertRows(server.owner, shop.id, again);
      for (const each of pages) {
        const { limit, bounds, cursor } = each;
        const query = new URLSearchParams({ sort, limit: String(limit) });
        const time = { ...bounds, ...(cursor?.at !== undefined && { cursor_time: cursor.at }) };
        for (const [name, at] of Object.entries(time)) query.set(name, new Date(at).toISOString());
        if (cursor) query.set(cursor.side, all[cursor.n]?.id ?? "");
        const response = await server.get(`/api/responses?${query}`, shop.apiKey);
        expect([String(query), response.status]).toEqual([String(query), 200]);
        const { data, prev, next } = (await response.json()) as ListBody;
        const page = {
          ids: data.map(({ id }) => id),
          hasPrev: prev !== null,
          hasNext: next !== null,
        };
        expect({ query: String(query), ...page }).toEqual({
          query: String(query),
          ...modelPage(all, sort, each),
        });
      }
    });
    await fc.assert(property, {
      numRuns: process.env["TEST_NIGHTLY"] ? 50 : 8,
      endOnFailure: true,
    });
  }, 120_000);
});
