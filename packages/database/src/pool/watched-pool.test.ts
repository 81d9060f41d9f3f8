import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { connectDatabase } from "./connect.ts";
import type { Sql } from "./sql.ts";
import { transaction } from "./transaction.ts";

const times: number[] = [];
let waiting = 0;
const observer = {
  begun: () => void waiting++,
  ended(milliseconds: number) {
    waiting--;
    times.push(milliseconds);
  },
};

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "observed", connections: 1, observer });
  await sql`SELECT`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test("each statement is observed once, with its time, whether it succeeds or fails", async () => {
  times.length = 0;
  const [slow, failed] = await Promise.allSettled([sql`SELECT pg_sleep(0.1)`, sql.unsafe("SELECT 1 / 0")]);
  expect([slow.status, failed.status]).toEqual(["fulfilled", "rejected"]);
  expect(times.length).toBe(2);
  expect(times[0]).toBeGreaterThan(90);
  expect(waiting).toBe(0);
});

test("a fragment is part of its statement, and what nobody awaits was not asked", async () => {
  times.length = 0;
  const fragment = sql`1 + ${1}::int`;
  sql`SELECT nobody awaits this`;
  expect(await sql`SELECT ${fragment} AS two`).toEqual([{ two: 2 }]);
  expect([times.length, waiting]).toEqual([1, 0]);
});

test("a transaction is observed as a whole, and lets its statements do their work", async () => {
  times.length = 0;
  await transaction(sql, async (tx) => {
    await tx`SELECT pg_sleep(0.1)`;
    expect(waiting).toBe(1);
  });
  expect(Math.max(...times)).toBeGreaterThan(90);
  await expect(transaction(sql, (tx) => tx`SELECT nothing`)).rejects.toThrow("nothing");
  expect(waiting).toBe(0);
});

test("what waits for its answer is waiting", async () => {
  const asked = sql`SELECT pg_sleep(0.5)`.then();
  await new Promise((resolve) => setImmediate(resolve));
  expect(waiting).toBe(1);
  await asked;
  await new Promise((resolve) => setImmediate(resolve));
  expect(waiting).toBe(0);
});
