import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import { rowsTouched } from "../testing/rows-touched.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { type ListParameters, SORTS, type SortName, type TimeRanges } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";

const COUNT = 200_000;
const LIMIT = 50;
const START = Date.parse("2024-01-01T00:00:00.000Z");
const MINUTE = 60_000;
/** A record every five minutes: nearly two years. */
const STEP = 5 * MINUTE;
/** When 20,000 of them were changed at one instant. */
const BULK = START + 190_000 * STEP;

/** A fifth, and that block. */
const CHANGED = 0.2 * COUNT + 0.8 * 20_000;

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
  test.each(MASKS)(
    "touches its rows, and each changed one once where filters %i are of the other time",
    async (mask) => {
      const ranges = rangesOf(mask);
      const other = SORTS[sort].column === "inserted_at" ? ranges.updated_at : ranges.inserted_at;
      const most = 2 * LIMIT + 8 + (other.min === null && other.max === null ? 0 : CHANGED);
      for (const id of CURSORS) {
        for (const direction of id ? (["forward", "backward"] as const) : (["forward"] as const)) {
          const cursor = id === null ? null : { direction, id };
          const rows = await touchedBy({ limit: LIMIT, sort, cursor, ranges, given: [] });
          expect([cursor, rows <= most ? "few" : rows]).toEqual([cursor, "few"]);
        }
      }
    },
  );
});
