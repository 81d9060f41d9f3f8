import { beforeEach, describe, expect, test, vi } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { connectDatabase } from "./connect.ts";
import type { Transaction } from "./sql.ts";
import { transaction } from "./transaction.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "test", connections: 1 });
const other = database.connect(database.url, { name: "test" });
await sql`CREATE TABLE kept (value integer)`;

test("a transaction's events are emitted in order after the commit, and dropped by a rollback", async () => {
  const passed: unknown[] = [];
  const pool = connectDatabase(database.url, {
    name: "test",
    connections: 1,
    onCommit: ({ n }) => passed.push(n),
  });
  await transaction(pool, async (inside) => {
    inside.afterCommit({ n: 1 });
    await inside`SELECT 1`;
    inside.afterCommit({ n: 2 });
    expect(passed).toEqual([]);
  });
  expect(passed).toEqual([1, 2]);
  const rejected = transaction(pool, async (inside) => {
    inside.afterCommit({ n: "rolled back" });
    throw new Error("no");
  });
  await expect(rejected).rejects.toThrow("no");
  pool.afterCommit({ n: 3 });
  expect(passed).toEqual([1, 2, 3]);
  await pool.end();
});

test("a commit that fails emits no event", async () => {
  const passed: unknown[] = [];
  const pool = connectDatabase(database.url, {
    name: "test",
    connections: 1,
    onCommit: (event) => passed.push(event),
  });
  await pool`CREATE TABLE at_commit (value integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`;
  const work = transaction(pool, async (inside) => {
    await inside`INSERT INTO at_commit VALUES (1), (1)`;
    inside.afterCommit({ n: 1 });
  });
  await expect(work).rejects.toMatchObject({ code: "23505" });
  expect(passed).toEqual([]);
  await pool.end();
});

describe("a transaction that Postgres ends because of a deadlock", () => {
  const ROWS = { mine: 101, theirs: 102 };
  let times = 0;

  /** `work` locks one row and then wants the other, whose session waits for the first. */
  async function meet(): Promise<unknown> {
    const hasLocked = Promise.withResolvers<void>();
    const theyWait = Promise.withResolvers<void>();
    const work = async (inside: Transaction) => {
      times++;
      await inside`SET LOCAL deadlock_timeout = '50ms'`; // the other's is 60 s, so ours is ended
      await inside`UPDATE kept SET value = value WHERE value = ${ROWS.mine}`;
      hasLocked.resolve();
      await theyWait.promise;
      return (await inside`DELETE FROM kept WHERE value IN (${ROWS.mine}, ${ROWS.theirs})`).count;
    };
    const theirs = other.begin(async (inside) => {
      await inside`UPDATE kept SET value = value WHERE value = ${ROWS.theirs}`;
      await hasLocked.promise;
      await inside`SET LOCAL deadlock_timeout = '60s'`;
      const [backend] = await inside<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      const waiting = inside`UPDATE kept SET value = value WHERE value = ${ROWS.mine}`.then();
      // A session checks for a deadlock once, so the other session must be waiting by then.
      const waits = () =>
        other`SELECT FROM pg_stat_activity WHERE pid = ${backend?.pid ?? 0} AND wait_event_type = 'Lock'`;
      await expect.poll(waits, { interval: 5 }).toHaveLength(1);
      theyWait.resolve();
      await waiting;
    });
    const mine = transaction(sql, work);
    await Promise.allSettled([mine, theirs]);
    await theirs;
    return await mine;
  }

  beforeEach(async () => {
    times = 0;
    await other`DELETE FROM kept WHERE value IN (${ROWS.mine}, ${ROWS.theirs})`;
    await other`INSERT INTO kept VALUES (${ROWS.mine}), (${ROWS.theirs})`;
  });

  test("a transaction that Postgres ends because of a deadlock is run once more from its beginning", async () => {
    expect(await meet()).toBe(2);
    expect(times).toBe(2);
  });

  test("a transaction that fails is run at most twice after a deadlock, and once after a lock timeout", async () => {
    for (const [code, times] of [
      ["40P01", 2],
      ["55P03", 1],
    ] as const) {
      const failing = vi.fn((inside: Transaction) =>
        inside.unsafe(`DO $$ BEGIN RAISE SQLSTATE '${code}'; END $$`),
      );
      await expect(transaction(sql, failing)).rejects.toMatchObject({ code });
      expect(failing).toHaveBeenCalledTimes(times);
    }
  });
});
