import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Sql } from "./connect.ts";
import { freshDatabase, type TestDatabase } from "./testing.ts";
import { transaction } from "./transaction.ts";

let database: TestDatabase;
let sql: Sql;
let other: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "test", connections: 1 });
  other = connectDatabase(database.url, { name: "test" });
  await sql`CREATE TABLE kept (value integer)`;
});

afterAll(async () => {
  await Promise.all([sql.end(), other.end()]);
  await database.drop();
});

async function kept(): Promise<number> {
  const rows = await other`SELECT count(*)::int AS rows FROM kept`;
  return rows[0]?.["rows"];
}

test("what resolves is committed, and its value returned", async () => {
  const work = transaction(sql, async (inside) => (await inside`INSERT INTO kept VALUES (1)`).count);
  expect(await work).toBe(1);
  expect(await kept()).toBe(1);
});

test("what rejects is rolled back, with its own error", async () => {
  const refusal = new Error("no");
  const work = transaction(sql, async (inside) => {
    await inside`INSERT INTO kept VALUES (2)`;
    throw refusal;
  });
  await expect(work).rejects.toBe(refusal);
  expect(await kept()).toBe(1);
});

test("a connection that Postgres ends rejects, leaves nothing, and the pool goes on", async () => {
  for (let round = 0; round < 3; round++) {
    const work = transaction(sql, async (inside) => {
      const [backend] = await inside`INSERT INTO kept VALUES (3) RETURNING pg_backend_pid() AS pid`;
      await Promise.all([inside`SELECT pg_sleep(60)`, other`SELECT pg_terminate_backend(${backend?.["pid"]}::int)`]);
    });
    await expect(work).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
  }
  expect(await kept()).toBe(1);
});

test("a pool ends although a connection was lost with a statement on it", async () => {
  const losing = connectDatabase(database.url, { name: "losing", connections: 1 });
  const work = transaction(losing, async (inside) => {
    const [backend] = await inside`SELECT pg_backend_pid() AS pid`;
    await Promise.all([inside`SELECT pg_sleep(60)`, other`SELECT pg_terminate_backend(${backend?.["pid"]}::int)`]);
  });
  await expect(work).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await losing.end();
});
