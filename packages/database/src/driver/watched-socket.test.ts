import { doorTo } from "@partner-connect/service-runtime/testing";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
});
afterAll(() => database.drop());

test("the socket of each connection is shown once, before anything is said", async () => {
  const door = await doorTo(database.url);
  const shown: { readonly written: number }[] = [];
  const onsocket = (socket: { bytesWritten: number }) => void shown.push({ written: socket.bytesWritten });
  const sql = postgres(door.url, { max: 1, fetch_types: false, onsocket } as postgres.Options<never>);
  await sql`SELECT 1`;
  await sql`SELECT 2`;
  expect(shown).toEqual([{ written: 0 }]);
  await expect(sql`SELECT pg_terminate_backend(pg_backend_pid())`).rejects.toThrow();
  await sql`SELECT 3`;
  expect(shown).toEqual([{ written: 0 }, { written: 0 }]);
  await sql.end();
  door.close();
});
