import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "./database.ts";

let fresh: TestDatabase;
let owner: Sql;
let sql: Sql;

beforeAll(async () => {
  fresh = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(fresh.url, { name: "database test", connections: 1 });
  sql = connectDatabase(fresh.url, { name: "database test", connections: 12 });
});

afterAll(async () => {
  await Promise.all([owner.end(), sql.end()]);
  await fresh.drop();
});

test("a shop has as many statements under way as are then still free; others are let in meanwhile", async () => {
  const database = new Database(sql, { timeout: 10_000, most: 10 });
  const waiting: Promise<unknown>[] = [];
  await owner.begin(async (holder) => {
    await holder`SELECT pg_advisory_xact_lock(1)`;
    const ask = () => database.run((reads) => reads`SELECT pg_advisory_xact_lock_shared(1)`, "shop_many");
    waiting.push(...Array.from({ length: 5 }, ask));
    await expect(ask()).rejects.toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(await database.run((reads) => reads`SELECT 1 AS one`, "shop_other")).toEqual([{ one: 1 }]);
    expect(await database.run((reads) => reads`SELECT 2 AS two`)).toEqual([{ two: 2 }]);
  });
  await Promise.all(waiting);
  expect(await database.run((reads) => reads`SELECT 3 AS three`, "shop_many")).toEqual([{ three: 3 }]);
});
