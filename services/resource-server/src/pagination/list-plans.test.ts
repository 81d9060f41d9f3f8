import { connectDatabase, transaction } from "@partner-connect/database";
import { afterAll, expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import { listDeletionsSql } from "../deleted-responses/list-deletions.query.ts";
import { SORTS, type SortName } from "../responses/list-parameters.ts";
import { listResponsesSql } from "../responses/list-responses.query.ts";
import type { Statement } from "../statement.ts";
import { suiteServer } from "../testing.ts";

const LIMIT = 50;
const MINUTE = 60_000;

const server = await suiteServer();
const sql = connectDatabase(server.database.resourceServerUrl, {
  name: "plans",
  statementTimeout: 60_000,
});
const shop = await server.newShop();
const caller: Caller = { kind: "api_key", id: shop.apiKeyId, shopId: shop.id };
afterAll(() => sql.end());

/** EXECUTE under EXPLAIN takes no parameters, so the values become literals. */
function execution({ values }: Statement): string {
  const quoted = values.map((value) => (typeof value === "number" ? value : `'${value}'`));
  return `EXECUTE shape(${quoted.join(", ")})`;
}

const SCAN =
  /(?:Seq|Index|Index Only|Bitmap Heap|Tid) Scan .*\(actual .*rows=([\d.]+) loops=(\d+)\)/;
const NODE = /\(actual .*rows=|\(never executed\)/;
const REMOVED = /Rows Removed by Filter: (\d+)/;

/** Rows and index entries read, from the plan's text: Citus's JSON lacks other nodes' plans. */
async function rowsTouched(statement: Statement): Promise<number> {
  const plan = await transaction(sql, async (inside) => {
    await inside.unsafe(`PREPARE shape AS ${statement.text}`);
    const rows = await inside.unsafe<{ "QUERY PLAN": string }[]>(
      `EXPLAIN (ANALYZE, TIMING OFF) ${execution(statement)}`,
    );
    await inside.unsafe("DEALLOCATE shape");
    return rows.map((row) => row["QUERY PLAN"]);
  });
  let [touched, loops] = [0, 0];
  for (const line of plan) {
    const scan = SCAN.exec(line);
    if (scan) {
      loops = Number(scan[2]);
      touched += Number(scan[1]) * loops;
    } else if (NODE.test(line)) loops = 0;
    else touched += Number(REMOVED.exec(line)?.[1] ?? 0) * loops;
  }
  return touched;
}

/** No cursor, and a cursor on either side of each of these ids. */
const cursorsOf = (...ids: readonly string[]) => [
  null,
  ...ids.flatMap((id) => (["after", "before"] as const).map((side) => ({ name: side, side, id }))),
];

test("for any bounds and cursor, a page of deletions reads at most eight rows more than its limit", async () => {
  const start = Date.parse("2025-01-01T00:00:00.000Z");
  // One deletion a minute. In the middle, 99 of 100 records were imported again.
  await server.owner`
    INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at, deleted_at, is_hidden)
    SELECT ${caller.shopId}, 'r' || lpad((i * 7919 % 100000)::text, 6, '0'), now(), now(),
      ${new Date(start).toISOString()}::timestamptz + i * interval '1 minute', i BETWEEN 20000 AND 79999 AND i % 100 <> 0
    FROM generate_series(0, 99999) AS i`;
  await server.owner`VACUUM ANALYZE survey.deleted_responses`;
  const times = [undefined, start, start + 50_000 * MINUTE, start + 99_990 * MINUTE];
  for (const min of [null, start + 10_000 * MINUTE]) {
    for (const max of [null, start + 95_000 * MINUTE]) {
      for (const cursor of cursorsOf("r000100", "r042000", "r099000")) {
        for (const time of cursor ? times : [undefined]) {
          const timed = cursor && { ...cursor, ...(time !== undefined && { time }) };
          const asked = { limit: LIMIT, cursor: timed, range: { min, max }, given: [] };
          const rows = await rowsTouched(listDeletionsSql(caller, asked));
          expect([asked, rows <= LIMIT + 8 ? "few" : rows]).toEqual([asked, "few"]);
        }
      }
    }
  }
});

test("a page of responses reads about twice its limit in rows, plus the changed rows if filter and sort use different times", async () => {
  const [count, start, step] = [200_000, Date.parse("2024-01-01T00:00:00.000Z"), 5 * MINUTE];
  const bulk = new Date(start + 190_000 * step).toISOString();
  // A fifth of the responses changed within 200 days, and 20,000 at one instant.
  await server.owner`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${caller.shopId}, 'r' || lpad(i::text, 6, '0'), inserted_at,
      CASE WHEN i BETWEEN 60000 AND 79999 THEN ${bulk}::timestamptz
           WHEN i % 5 = 0 THEN inserted_at + (i * 7919 % 200) * interval '1 day' ELSE inserted_at END,
      format('{"id":"r%s"}', lpad(i::text, 6, '0'))
    FROM (SELECT i, ${new Date(start).toISOString()}::timestamptz + i * interval '5 minutes' AS inserted_at
          FROM generate_series(0, ${count - 1}) AS i) AS row`;
  await server.owner`VACUUM ANALYZE survey.responses`;
  const changed = 0.2 * count + 0.8 * 20_000;
  const bounds = [20_000, 130_000, 40_000, 170_000].map((steps) => start + steps * step);
  for (const sort of Object.keys(SORTS) as SortName[]) {
    for (let mask = 0; mask < 16; mask++) {
      const bound = (index: number) => (mask & (1 << index) ? (bounds[index] ?? null) : null);
      const ranges = {
        inserted_at: { min: bound(0), max: bound(1) },
        updated_at: { min: bound(2), max: bound(3) },
      };
      const other = SORTS[sort].column === "inserted_at" ? ranges.updated_at : ranges.inserted_at;
      const most = 2 * LIMIT + 8 + (other.min === null && other.max === null ? 0 : changed);
      for (const cursor of cursorsOf("r000100", "r070000", "r120000", "r199900")) {
        const asked = { limit: LIMIT, sort, cursor, ranges, given: [] };
        const rows = await rowsTouched(listResponsesSql(caller, asked));
        expect([sort, mask, cursor, rows <= most ? "few" : rows]).toEqual([
          sort,
          mask,
          cursor,
          "few",
        ]);
      }
    }
  }
}, 120_000);
