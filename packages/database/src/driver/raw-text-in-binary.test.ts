import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let sql: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "raw rows test", connections: 1 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** What is read of the rows, each time that the statement is executed. */
async function read(text: string, values: string[]): Promise<(string | null)[][][]> {
  const times: (string | null)[][][] = [];
  for (let time = 0; time < 3; time++) {
    const rows = (await sql.unsafe(text, values, { prepare: true }).raw()) as unknown as (Buffer | null)[][];
    times.push(rows.map((row) => row.map((value) => value?.toString() ?? null)));
  }
  return times;
}

test("raw rows are the same however often their statement was executed, whatever their columns are", async () => {
  const text = [["é€💥\\", null, ""]];
  expect(await read("SELECT $1::text, null::text, ''", ["é€💥\\"])).toEqual([text, text, text]);
  const mixed = [["a", "7", "t", "2026-01-02"]];
  expect(await read("SELECT $1::text, 7, true, date '2026-01-02'", ["a"])).toEqual([mixed, mixed, mixed]);
  const numbers = [["1"], ["2"]];
  expect(await read("SELECT n FROM generate_series(1, $1::int) n", ["2"])).toEqual([numbers, numbers, numbers]);
});

test("text that is large comes whole", async () => {
  const [, , [[value] = []] = []] = await read("SELECT repeat($1::text, 1000000)", ["€"]);
  expect(value).toBe("€".repeat(1_000_000));
});
