import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRowReader, type LentRow, type RowReader } from "../index.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let reader: RowReader;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  reader = connectRowReader(database.url, { name: "row reader test", connections: 1 });
});

afterAll(async () => {
  await reader.end();
  await database.drop();
});

const TEXT = "SELECT $1::text AS said, NULL::text AS nothing, repeat('é', 3) AS word";

test("a row is read by the names of its columns, however often its statement was executed", async () => {
  for (let time = 0; time < 3; time++) {
    const target = Buffer.alloc(10, ".");
    const read = (row: LentRow) => [row.text("said"), row.text("nothing"), row.size("nothing"), row.size("word")];
    expect(await reader.readRow(TEXT, ["so"], read)).toEqual(["so", null, null, 6]);
    expect(await reader.readRow(TEXT, ["so"], (row) => row.copyInto("word", target))).toBe(6);
    expect(target.toString()).toBe("ééé....");
  }
  expect(await reader.readRow("SELECT 7 AS n, true AS yes WHERE $1", [true], (row) => row.text("n"))).toBe("7");
  expect(await reader.readRow("SELECT 7 AS n WHERE $1", [false], () => "a row")).toBeUndefined();
  expect(await reader.readRow("SELECT n FROM generate_series(1, $1::int) n", [9], (row) => row.text("n"))).toBe("1");
});

test("a row that is read after the call throws, whatever is asked of it", async () => {
  let kept: LentRow | undefined;
  await reader.readRow(TEXT, ["so"], (row) => {
    kept = row;
  });
  const message = "a row can be read within its call alone";
  expect(() => kept?.text("said")).toThrow(message);
  expect(() => kept?.size("said")).toThrow(message);
  expect(() => kept?.copyInto("said", Buffer.alloc(10))).toThrow(message);
});

test("what the taker throws is thrown to the reader, and nobody else on the connection notices", async () => {
  const fails = reader.readRow(TEXT, ["first"], () => {
    throw new RangeError("no room");
  });
  const next = Array.from({ length: 20 }, (_, i) => reader.readRow(TEXT, [`${i}`], (row) => row.text("said")));
  await expect(fails).rejects.toThrow(new RangeError("no room"));
  expect(await Promise.all(next)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
  await expect(reader.readRow(TEXT, ["so"], (row) => row.text("other"))).rejects.toThrow("no column other");
});

test("rows of other statements are objects with values of their own, and no type offers raw ones", async () => {
  const query = reader.sql<{ word: string }[]>`SELECT repeat('long', ${20_000}::int) AS word`;
  // @ts-expect-error The type of a statement has no raw rows: their bytes would be overwritten.
  expect(query.raw).toBeInstanceOf(Function);
  const [row] = await query;
  await Promise.all(Array.from({ length: 20 }, (_, i) => reader.readRow(TEXT, [`${i}`.repeat(5000)], () => null)));
  expect(row).toEqual({ word: "long".repeat(20_000) });
  expect(await reader.sql.unsafe("SELECT $1::text AS said", ["so"])).toEqual([{ said: "so" }]);
});
