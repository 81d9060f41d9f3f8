import { expect, onTestFinished, test, vi } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { connectDatabase } from "./connect.ts";
import { transaction } from "./transaction.ts";

const times: number[] = [];
let waiting = 0;
const observer = (call: Promise<unknown>): void => {
  const begun = performance.now();
  const end = (): void => {
    waiting--;
    times.push(performance.now() - begun);
  };
  waiting++;
  Promise.prototype.then.call(call, end, end);
};

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "observed", connections: 1, observer });
await sql`SELECT`;

test("each statement is observed once, with its duration, whether it succeeds or fails", async () => {
  times.length = 0;
  const [slow, failed] = await Promise.allSettled([
    sql`SELECT pg_sleep(0.1)`,
    sql.unsafe("SELECT 1 / 0"),
  ]);
  expect([slow.status, failed.status]).toEqual(["fulfilled", "rejected"]);
  expect(times.length).toBe(2);
  expect(times[0]).toBeGreaterThan(90);
  expect(waiting).toBe(0);
});

test("neither a fragment nor a statement that isn't awaited is sent as a separate statement", async () => {
  times.length = 0;
  const fragment = sql`1 + ${1}::int`;
  sql`SELECT nobody awaits this`;
  expect(await sql`SELECT ${fragment} AS two`).toEqual([{ two: 2 }]);
  expect([times.length, waiting]).toEqual([1, 0]);
});

test("a transaction is observed from its beginning to its end, whether it succeeds or fails", async () => {
  times.length = 0;
  await transaction(sql, async (tx) => {
    await tx`SELECT pg_sleep(0.1)`;
    expect(waiting).toBe(1);
  });
  expect(Math.max(...times)).toBeGreaterThan(90);
  await expect(transaction(sql, (tx) => tx`SELECT nothing`)).rejects.toThrow("nothing");
  expect(waiting).toBe(0);
});

test("a statement that waits too long for its result or a connection fails with DATABASE_DEADLINE", async () => {
  const late = connectDatabase(database.url, { name: "late", connections: 1, deadline: 200 });
  onTestFinished(() => late.end({ timeout: 0 }));
  const outcomes = await Promise.allSettled([late`SELECT pg_sleep(1)`, late`SELECT 1`]);
  expect(outcomes).toMatchObject(
    Array(2).fill({ status: "rejected", reason: { code: "DATABASE_DEADLINE" } }),
  );
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'late'`;
  await vi.waitFor(async () => expect(await late`SELECT 1 AS one`).toEqual([{ one: 1 }]));
});

test("a transaction that exceeds its deadline commits no change, even if it waited for a connection", async () => {
  await sql`CREATE TABLE kept (n int)`;
  const late = connectDatabase(database.url, { name: "late", connections: 1, deadline: 200 });
  const paused = Promise.withResolvers<void>();
  const slow = transaction(late, async (tx) => {
    await tx`INSERT INTO kept VALUES (1)`;
    await paused.promise;
  });
  const waiting = transaction(late, (tx) => tx`INSERT INTO kept VALUES (2)`);
  const outcomes = await Promise.allSettled([slow, waiting]);
  expect(outcomes).toMatchObject(
    Array(2).fill({ status: "rejected", reason: { code: "DATABASE_DEADLINE" } }),
  );
  paused.resolve();
  await late.end();
  expect([...(await sql`SELECT n FROM kept`)]).toEqual([]);
});
