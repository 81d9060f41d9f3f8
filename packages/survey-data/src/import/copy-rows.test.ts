import { connectDatabase, type Sql, type Transaction, transaction } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSurvey, testSurvey } from "../testing.ts";
import { copyRows } from "./import-lines.ts";
import { createStagingTable } from "./staging-table.ts";

let survey: TestSurvey;
let sql: Sql;

beforeAll(async () => {
  survey = await testSurvey();
  sql = connectDatabase(survey.url, { name: "copy test", connections: 1 });
});

afterAll(async () => {
  await sql.end();
  await survey.close();
});

async function staging<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return await transaction(sql, async (inside) => {
    await createStagingTable(inside, "responses");
    return await work(inside);
  });
}

test("rows arrive as they were given, with NULL and backslashes", async () => {
  const rows = await staging(async (inside) => {
    const copy = await copyRows(inside);
    await copy.row([1, "a\\n", undefined, "2026-01-01T00:00:00.123Z", '{"x":"\\\\\\""', "}"]);
    await copy.end();
    return await inside`SELECT *, updated_at::text AS updated_at FROM staged_records`;
  });
  expect(rows).toMatchObject([{ line: "1", id: "a\\n", inserted_at: null, head: '{"x":"\\\\\\""', tail: "}" }]);
});

test("a row that Postgres refuses fails the transaction, also when it is the last one sent", async () => {
  const doomed = staging(async (inside) => {
    const copy = await copyRows(inside);
    await copy.row([1, "a", "not a time", undefined, "", ""]);
    await copy.end();
    await inside`SELECT 1`;
  });
  await expect(doomed).rejects.toThrow();
  expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
});

test("a row that Postgres refuses stops a source without end", async () => {
  const doomed = staging(async (inside) => {
    const copy = await copyRows(inside);
    for (let line = 0; ; line++) await copy.row([line, "a", "not a time", undefined, "x".repeat(1000), ""]);
  });
  await expect(doomed).rejects.toThrow("not a time");
  expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
});

test("a connection that Postgres ends in the middle fails the copy", async () => {
  const doomed = staging(async (inside) => {
    const [backend] = await inside<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const copy = await copyRows(inside);
    for (let line = 0; ; line++) {
      await copy.row([line, "a", undefined, undefined, "x".repeat(1000), ""]);
      if (line === 2000) await survey.sql`SELECT pg_terminate_backend(${backend?.pid ?? 0}::int)`;
    }
  });
  await expect(doomed).rejects.toThrow();
  // The first statement may be told of the end that the one before met.
  await sql`SELECT 1`.catch((error) => expect(error).toMatchObject({ code: "57P01" }));
  expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
});
