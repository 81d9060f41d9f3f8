import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import { rowsTouched } from "../testing/rows-touched.ts";
import { type TestResourceServer, testResourceServer } from "../testing.ts";
import type { DeletionParameters } from "./deletion-parameters.ts";
import { listDeletionsSql } from "./list-deletions.query.ts";

const COUNT = 100_000;
const LIMIT = 50;
const START = Date.parse("2025-01-01T00:00:00.000Z");
const MINUTE = 60_000;

let server: TestResourceServer;
let sql: Sql;
let caller: Caller;

/** A deletion a minute; of those in the middle all but every hundredth were imported again. */
beforeAll(async () => {
  server = await testResourceServer();
  sql = connectDatabase(server.database.resourceServerUrl, { name: "plans", statementTimeout: 60_000 });
  const shop = await server.newShop();
  caller = { kind: "api_key", id: shop.apiKeyId, shopId: shop.id };
  await server.owner`
    INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at, deleted_at, imported_again)
    SELECT ${shop.id}, 'r' || lpad((i * 7919 % ${COUNT})::text, 6, '0'), now(), now(),
      ${new Date(START).toISOString()}::timestamptz + i * interval '1 minute', i BETWEEN 20000 AND 79999 AND i % 100 <> 0
    FROM generate_series(0, ${COUNT - 1}) AS i`;
  await server.owner`VACUUM ANALYZE survey.deleted_responses`;
});

afterAll(async () => {
  await sql?.end();
  await server?.close();
});

const touchedBy = (parameters: Omit<DeletionParameters, "limit" | "given">): Promise<number> =>
  rowsTouched(sql, listDeletionsSql(caller, { ...parameters, limit: LIMIT, given: [] }));

test("a page touches little more than its rows, whatever the bounds and the cursor", async () => {
  const [min, max] = [START + 10_000 * MINUTE, START + 95_000 * MINUTE];
  const ranges = [null, min].flatMap((from) => [null, max].map((to) => ({ min: from, max: to })));
  const ids = ["r000100", "r042000", "r099000"];
  const times = [undefined, START, START + 50_000 * MINUTE, START + 99_990 * MINUTE];
  for (const range of ranges) {
    const cursors = (["forward", "backward"] as const).flatMap((direction) =>
      ids.flatMap((id) => times.map((time) => ({ direction, id, ...(time !== undefined && { time }) }))),
    );
    for (const cursor of [null, ...cursors]) {
      const rows = await touchedBy({ cursor, range });
      expect([range, cursor, rows <= LIMIT + 8 ? "few" : rows]).toEqual([range, cursor, "few"]);
    }
  }
});
