import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { transaction } from "../pool/transaction.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { migrateBy } from "./migrate.ts";
import { type MigrationFolder, migrationFolder } from "./testing/migration-folder.ts";

let database: TestDatabase;
let sql: Sql;
const folders: MigrationFolder[] = [];

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "long reader", connections: 4 });
  await sql`CREATE TABLE survey.things (id int PRIMARY KEY)`;
  await sql`CREATE TABLE survey.others (id int PRIMARY KEY)`;
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
  for (const folder of folders) await folder.remove();
});

/** Applies these files, and returns what was applied and what was reported. */
async function run(files: Readonly<Record<string, string>>, { patience = 10_000, lockWait = 300 } = {}) {
  const folder = await migrationFolder(files);
  folders.push(folder);
  const lines: string[] = [];
  const route = { folder: folder.url, upTo: Number.POSITIVE_INFINITY, lockWait };
  const applied = migrateBy(database.url, route, { patience, report: (line) => lines.push(line) });
  return { lines, applied: await applied.catch((error: Error) => error) };
}

/** Reads the table in a transaction that stays open for so long. */
async function readFor(milliseconds: number): Promise<{ ended: Promise<void> }> {
  const { promise: reading, resolve } = Promise.withResolvers<void>();
  const ended = transaction(sql, async (tx) => {
    await tx`SELECT id, 'secret of a customer' FROM survey.things`;
    resolve();
    await pause(milliseconds);
  });
  await reading;
  return { ended };
}

/** The columns beside the id. */
async function columns(table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = ${table}::text::regclass AND attnum > 1 AND NOT attisdropped ORDER BY attnum`;
  return rows.map(({ name }) => name);
}

test("behind a long reader a migration gives way, again and again, and says who holds it up [migrate.locks]", async () => {
  const { ended } = await readFor(2500);
  const waits: number[] = [];
  let isOver = false;
  const readers = Promise.all(
    [0, 1, 2].map(async () => {
      for (; !isOver; await pause(5)) {
        const since = performance.now();
        await sql`SELECT FROM survey.things`;
        waits.push(performance.now() - since);
      }
    }),
  );
  const { applied, lines } = await run({ "1001.do.a.sql": "ALTER TABLE survey.things ADD COLUMN a int" });
  isOver = true;
  await Promise.all([ended, readers]);
  expect(applied).toEqual(["1001 a"]);
  expect(Math.max(...waits)).toBeLessThan(900);
  expect(waits.length).toBeGreaterThan(50);
  expect(lines[0]).toMatch(
    /^waiting for survey\.things: held by pid \d+ \(user \w+, application long reader, idle in transaction, for [0-3] s, SELECT id, \? FROM survey\.things\)$/,
  );
  expect(lines.at(-1)).toMatch(/^applied 1001 a \(\d\.\d s\)$/);
});

test("it gives up in the end: that migration changed nothing, and those before it stay [migrate.locks]", async () => {
  const { ended } = await readFor(2000);
  const files = {
    "1002.do.before.sql": "ALTER TABLE survey.others ADD COLUMN before int",
    "1003.do.b.sql": "ALTER TABLE survey.others ADD COLUMN b int; ALTER TABLE survey.things ADD COLUMN b int",
  };
  const { applied, lines } = await run(files, { patience: 1000 });
  expect(applied).toMatchObject({
    name: "MigrationError",
    code: "MIGRATION_LOCKED",
    message: expect.stringMatching(
      /^migration 1003 b changed nothing: it got no lock within 1 s, held by pid \d+ \(.*application long reader/,
    ),
    hint: expect.stringMatching(
      /^run it again when that has ended, or end it by 'SELECT pg_terminate_backend\(\d+\)'$/,
    ),
  });
  expect(lines[0]).toMatch(/^applied 1002 before/);
  expect([await columns("survey.others"), await columns("survey.things")]).toEqual([["before"], ["a"]]);
  await ended;
  expect((await run(files)).applied).toEqual(["1003 b"]);
});

test("a migration that fails is named, with what Postgres says, and changed nothing", async () => {
  const { applied } = await run({ "1004.do.wrong.sql": "ALTER TABLE survey.others ADD COLUMN c int; SELECT 1 / 0" });
  expect(applied).toMatchObject({
    code: "MIGRATION_FAILED",
    message: "migration 1004 wrong changed nothing: division by zero (22012)",
  });
  expect(await columns("survey.others")).toEqual(["before", "b"]);
});

test("a migration that was changed after it had been applied is refused", async () => {
  const name = "1005.do.later.sql";
  expect((await run({ [name]: "ALTER TABLE survey.others ADD COLUMN later int" })).applied).toEqual(["1005 later"]);
  const { applied } = await run({ [name]: "ALTER TABLE survey.others ADD COLUMN later text" });
  expect(applied).toEqual(new Error(`the migration ${name} was changed after it had been applied`));
});
