import { connectRowReader, type RowReader } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Statement } from "../authorization/statement.ts";
import { Database } from "./database.ts";
import { Turns } from "./turns.ts";

let testDatabase: TestDatabase;
let reader: RowReader;

beforeAll(async () => {
  testDatabase = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  reader = connectRowReader(testDatabase.url, { name: "database test", connections: 1 });
});
afterAll(async () => {
  await reader.end();
  await testDatabase.drop();
});

function said(word: string, seconds: number): Statement {
  const statement = new Statement();
  statement.text = `SELECT ${statement.bind(word)}::text AS word, pg_sleep(${statement.bind(seconds)})`;
  return statement;
}

test("a row that comes when nobody waits for it any more is not lent", async () => {
  const within = (timeout: number): Database => {
    const turns = new Turns({ timeout, ofShop: 10, inAll: 10, mostWaiting: 10, refusal: "too_many_statements" });
    return new Database({ ordinary: { reader, turns }, large: { reader, turns } });
  };
  const lent: (string | null)[] = [];
  const read = (word: string, seconds: number, timeout = 60_000) =>
    within(timeout).readRow("a", said(word, seconds), (row) => void lent.push(row.text("word")));
  await read("in time", 0);
  await expect(read("late", 0.6, 300)).rejects.toMatchObject({ code: "DATABASE_DEADLINE" });
  await reader.sql.unsafe("SELECT pg_sleep(0.2)", []); // behind it on the same connection
  await read("in time again", 0);
  expect(lent).toEqual(["in time", "in time again"]);
});
