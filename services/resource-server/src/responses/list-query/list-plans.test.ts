import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../authentication/caller.ts";
import { rowsTouched } from "../../testing/rows-touched.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";
import type { ListParameters, TimeRanges } from "../parameters/list-parameters.ts";
import { SORTS, type SortName } from "../parameters/sort.ts";
import { listResponsesSql } from "./list-responses.query.ts";

const COUNT = 200_000;
const LIMIT = 50;
const START = Date.parse("2024-01-01T00:00:00.000Z");
const MINUTE = 60_000;
/** A record every five minutes: nearly two years, 25 bins. */
const STEP = 5 * MINUTE;
/** When 20,000 of them were changed at one instant. */
const BULK = START + 190_000 * STEP;

let server: TestResourceServer;
let sql: Sql;
let shop: TestShop;
let caller: Caller;

beforeAll(async () => {
  server = await testResourceServer();
  sql = connectDatabase(server.database.resourceServerUrl, { name: "plans", statementTimeout: 60_000 });
  shop = await server.newShop();
  caller = {
    kind: "connection",
    id: shop.connectionId,
    shopId: shop.id,
    clientId: shop.clientId,
    generation: 1,
    scope: ["responses:read"],
  };
  // A fifth was changed within 200 days, one block at one instant.
  await server.owner`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shop.id}, 'r' || lpad(i::text, 6, '0'), inserted_at,
      CASE WHEN i BETWEEN 60000 AND 79999 THEN ${new Date(BULK).toISOString()}::timestamptz
           WHEN i % 5 = 0 THEN inserted_at + (i * 7919 % 200) * interval '1 day' ELSE inserted_at END,
      format('{"id":"r%s"}', lpad(i::text, 6, '0'))
    FROM (SELECT i, ${new Date(START).toISOString()}::timestamptz + i * interval '5 minutes' AS inserted_at
          FROM generate_series(0, ${COUNT - 1}) AS i) AS row`;
  await server.owner`VACUUM ANALYZE survey.responses`;
}, 120_000);

afterAll(async () => {
  await sql.end();
  await server.close();
});

const touchedBy = (parameters: ListParameters): Promise<number> =>
  rowsTouched(sql, listResponsesSql(caller, parameters, null));

describe.each(["inserted_at_desc", "inserted_at_asc"] as const)("a page in %s, filtered by the other time", (sort) => {
  test.each([
    ["an hour beside 20,000 that changed at one instant", BULK + 1, BULK + 60 * MINUTE],
    ["a range the wrong way round", BULK, BULK - 1],
  ])("touches few rows for %s", async (_, min, max) => {
    const ranges = { inserted_at: { min: null, max: null }, updated_at: { min, max } };
    for (const direction of [null, "forward", "backward"] as const) {
      const cursor = direction && { direction, id: "r120000" };
      expect(await touchedBy({ limit: LIMIT, sort, cursor, ranges, given: [] })).toBeLessThan(1200);
    }
  });

  test("reads up to 1,500 of a range, rather than pass over 20,000 that changed at one instant beside it", async () => {
    const ranges = {
      inserted_at: { min: null, max: null },
      updated_at: { min: BULK + 1, max: BULK + 4 * 24 * 60 * MINUTE },
    };
    for (const cursor of [null, { direction: "forward" as const, id: "r055806" }]) {
      expect(await touchedBy({ limit: LIMIT, sort, cursor, ranges, given: [] })).toBeLessThan(3200);
    }
  });
});

test("what changed at one instant beside a range of months is passed over once at most", async () => {
  const ranges = { inserted_at: { min: null, max: null }, updated_at: { min: BULK + 8 * 24 * 60 * MINUTE, max: null } };
  const cursor = { direction: "forward" as const, id: "r055806" };
  expect(await touchedBy({ limit: LIMIT, sort: "inserted_at_asc", cursor, ranges, given: [] })).toBeLessThan(24_000);
});

/** What the filters could be; nothing, or a time in the middle of everything. */
const BOUNDS = {
  inserted_at: { min: START + 20_000 * STEP, max: START + 130_000 * STEP },
  updated_at: { min: START + 40_000 * STEP, max: START + 170_000 * STEP },
};
function rangesOf(mask: number): TimeRanges {
  const bit = (index: number, bound: number): number | null => (mask & (1 << index) ? bound : null);
  return {
    inserted_at: { min: bit(0, BOUNDS.inserted_at.min), max: bit(1, BOUNDS.inserted_at.max) },
    updated_at: { min: bit(2, BOUNDS.updated_at.min), max: bit(3, BOUNDS.updated_at.max) },
  };
}
const MASKS = Array.from({ length: 16 }, (_, mask) => mask);
const CURSORS = [null, "r000100", "r070000", "r120000", "r199900"];
describe.each(Object.keys(SORTS) as SortName[])("a page in %s of 200,000 responses", (sort) => {
  test.each(MASKS)("touches little more than its rows, with filters %i and a cursor anywhere", async (mask) => {
    const ranges = rangesOf(mask);
    const other = SORTS[sort].column === "inserted_at" ? ranges.updated_at : ranges.inserted_at;
    // Filtered by the other time: a page for each of the walks' looks, and the bin at either end of the range.
    const most = other.min === null && other.max === null ? LIMIT + 8 : 8 * LIMIT + 2 * 2200;
    for (const id of CURSORS) {
      for (const direction of id ? (["forward", "backward"] as const) : (["forward"] as const)) {
        const cursor = id === null ? null : { direction, id };
        const rows = await touchedBy({ limit: LIMIT, sort, cursor, ranges, given: [] });
        expect([cursor, rows <= most ? "few" : rows]).toEqual([cursor, "few"]);
      }
    }
  });
});
