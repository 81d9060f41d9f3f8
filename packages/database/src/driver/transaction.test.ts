import { beforeAll, expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";

const database = await suiteDatabase();
const sql = database.open(database.url, { name: "transaction test", connections: 1 });
const other = database.open(database.url, { name: "operator", connections: 1 });

beforeAll(async () => void (await other`CREATE TABLE kept (value integer)`));

async function kept(): Promise<unknown[]> {
  return (await other`SELECT value FROM kept ORDER BY value`).map(({ value }) => value);
}

test("a transaction that begins while statements wait has exclusive use of its connection", async () => {
  const before = Array.from({ length: 20 }, () => sql`SELECT 1`.execute());
  const work = sql.begin(async (inside) => {
    await inside`INSERT INTO kept VALUES (1)`;
    throw new Error("no");
  });
  const after = sql`INSERT INTO kept VALUES (2)`.execute();
  await expect(work).rejects.toThrow("no");
  await Promise.all([...before, after]);
  expect(await kept()).toEqual([2]);
});

test("after a transaction's connection is lost, its next statement fails and isn't run on another connection", async () => {
  const work = sql.begin(async (inside) => {
    const [backend] = await inside`INSERT INTO kept VALUES (3) RETURNING pg_backend_pid() AS pid`;
    await other`SELECT pg_terminate_backend(${backend?.["pid"]}::int)`;
    // The pool's only connection is made again, and serves others.
    await expect.poll(() => sql`SELECT 1 AS alive`.catch(() => [])).toEqual([{ alive: 1 }]);
    const late = inside`INSERT INTO kept VALUES (4)`;
    await expect(late).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    return "late";
  });
  await expect(work).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await expect.poll(() => sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
  expect(await kept()).toEqual([2]);
});

test("the ROLLBACK of a transaction that lost its connection doesn't end another transaction", async () => {
  const taken = Promise.withResolvers<void>();
  const first = sql.begin(async (inside) => {
    const [backend] = await inside`SELECT pg_backend_pid() AS pid`;
    await other`SELECT pg_terminate_backend(${backend?.["pid"]}::int)`;
    await taken.promise;
    throw new Error("and now its ROLLBACK");
  });
  await expect(first).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  await sql.begin(async (inside) => {
    await inside`INSERT INTO kept VALUES (5)`;
    taken.resolve();
    await inside`SELECT pg_sleep(0.05)`;
    await inside`INSERT INTO kept VALUES (6)`;
  });
  expect(await kept()).toEqual([2, 5, 6]);
});

test("a statement that is sent through an ended transaction is refused", async () => {
  const inside = await sql.begin(async (inside) => ({ inside }));
  await expect(inside.inside`INSERT INTO kept VALUES (7)`).rejects.toMatchObject({
    code: "UNSAFE_TRANSACTION",
  });
  expect(await kept()).toEqual([2, 5, 6]);
});
