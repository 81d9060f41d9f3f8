import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let sql: DriverPool;
let operator: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "no retry test", connections: 1 });
  operator = openDriver(database.url, { name: "operator", connections: 1 });
  await operator`CREATE TABLE kept AS SELECT n AS id, 'name-' || n AS name FROM generate_series(1, 9) n`;
});

afterAll(async () => {
  await Promise.all([sql.end(), operator.end()]);
  await database.drop();
});

const named = (id: number) => sql`SELECT name FROM kept WHERE id = ${id}`;
const byName = (name: string) => sql`SELECT id FROM kept WHERE name = ${name}`;
const who = (asked: string) => sql`SELECT ${asked}::text AS who`;

async function backend(): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return row?.pid as number;
}

/** What each query gave: its rows, or its error's code. */
async function outcomes(queries: readonly PromiseLike<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(queries);
  return settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.code));
}

test.each([
  ["ALTER TABLE kept ALTER COLUMN name TYPE varchar", "0A000"],
  ["ALTER TABLE kept ALTER COLUMN name TYPE text", "0A000"],
])(
  "what was prepared before '%s' fails, those beside it are answered, and the next is prepared afresh",
  async (ddl, code) => {
    await Promise.all([named(1), who("all")]);
    const before = await backend();
    await operator.unsafe(ddl);
    const together = [named(1), who("a"), named(2), who("b"), who("c")];
    expect(await outcomes(together)).toEqual([code, [{ who: "a" }], code, [{ who: "b" }], [{ who: "c" }]]);
    expect(await named(3)).toEqual([{ name: "name-3" }]);
    expect(await backend()).not.toBe(before);
  },
);

test.each(["DEALLOCATE ALL", "DISCARD ALL"])(
  "what %s took away fails, and the next is prepared afresh",
  async (statement) => {
    await Promise.all([named(1), who("all")]);
    const before = await backend();
    const together = [sql.unsafe(statement), named(1), who("a"), sql.unsafe("SELECT 'simple' AS who"), named(2)];
    expect(await outcomes(together)).toEqual([[], "26000", "26000", [{ who: "simple" }], "26000"]);
    expect(await outcomes([who("d"), named(3)])).toEqual([[{ who: "d" }], [{ name: "name-3" }]]);
    expect(await backend()).not.toBe(before);
  },
);

test("a parameter of a type that the column had before fails as a fault, and the next is prepared afresh", async () => {
  const operatorOf = (type: string, using: string) =>
    operator.unsafe(`ALTER TABLE kept ALTER COLUMN name TYPE ${type} USING ${using}`);
  expect(await byName("name-4")).toEqual([{ id: 4 }]);
  await operatorOf("integer", "id");
  const error = await byName("4").catch((error: unknown) => error);
  expect(error).toMatchObject({ code: "42883" });
  expect(isDatabaseFault(error)).toBe(true);
  expect(await byName("4")).toEqual([{ id: 4 }]);
  await operatorOf("text", "'name-' || id");
});

test("a transaction that meets it is rolled back, and its connection ends after it", async () => {
  await Promise.all([named(1), who("all")]);
  const before = await backend();
  const work = sql.begin(async (inside) => {
    await inside`UPDATE kept SET name = 'lost' WHERE id = 5`;
    await inside`DEALLOCATE ALL`;
    await inside`SELECT name FROM kept WHERE id = ${5}`;
  });
  await expect(work).rejects.toMatchObject({ code: "26000" });
  expect(await named(5)).toEqual([{ name: "name-5" }]);
  expect(await backend()).not.toBe(before);
});
