import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let sql: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "row counter test", connections: 1 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

test("the next result has no holes after a query that failed in mid-stream", async () => {
  for (const isTogether of [true, false]) {
    const failing = sql`SELECT 1 / (n - 50) FROM generate_series(1, 100) n`.catch((error) => error.code);
    if (!isTogether) await failing;
    const rows = await sql`SELECT n FROM generate_series(1, 3) n`;
    expect([await failing, rows.length, [...rows]]).toEqual(["22012", 3, [{ n: 1 }, { n: 2 }, { n: 3 }]]);
  }
});

test("nor after a connection that was lost in mid-stream", async () => {
  const lost = sql`SELECT pg_terminate_backend(pg_backend_pid()) FROM generate_series(1, 100) n WHERE n > 50`;
  const failing = sql`
    SELECT n, CASE WHEN n = 50 THEN pg_terminate_backend(pg_backend_pid()) END FROM generate_series(1, 100000) n`;
  expect(await Promise.all([failing, lost].map((query) => query.catch((error) => error.code)))).toEqual([
    "57P01",
    "CONNECTION_CLOSED",
  ]);
  expect([...(await sql`SELECT n FROM generate_series(1, 3) n`)]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});
