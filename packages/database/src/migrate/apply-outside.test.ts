import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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
let folder: MigrationFolder;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "test" });
  await sql`CREATE TABLE survey.things (id int PRIMARY KEY, a int, b int)`;
  await sql`INSERT INTO survey.things SELECT i, i, i FROM generate_series(1, 1000) AS i`;
  folder = await migrationFolder({
    "1001.do.indexes.outside.sql": `
      -- Two of them; each can be repeated.
      CREATE INDEX CONCURRENTLY IF NOT EXISTS things_by_a ON survey.things (a);
      CREATE INDEX CONCURRENTLY IF NOT EXISTS things_by_b ON survey.things (b);`,
  });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
  await folder?.remove();
});

const route = () => ({ folder: folder.url, upTo: Number.POSITIVE_INFINITY });

/** The indexes of the table beside its key, with whether they are complete. */
async function indexes(): Promise<Record<string, boolean>> {
  const rows = await sql<{ name: string; valid: boolean }[]>`
    SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON oid = indexrelid
    WHERE indrelid = 'survey.things'::regclass AND NOT indisprimary ORDER BY relname`;
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}

const migrators = () =>
  sql`SELECT FROM pg_stat_activity WHERE application_name = 'migrate' AND datname = current_database()`;

/** A process that migrates, so that it can be killed. */
function migrateElsewhere(): ChildProcess {
  const script = `
    const { migrateBy } = await import(${JSON.stringify(new URL("migrate.ts", import.meta.url).href)});
    await migrateBy(process.argv[1], { folder: new URL(process.argv[2]), upTo: Infinity });`;
  const words = ["--input-type=module", "--eval", script, database.url, folder.url.href];
  return spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await condition()); await pause(50)) {
    if (Date.now() > deadline) throw new Error(`not within a minute: ${condition}`);
  }
}

test("killed while it builds an index, the next run drops what is half made, and completes all", async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>();
  const reader = transaction(sql, async (tx) => {
    await tx`SELECT FROM survey.things LIMIT 1 FOR UPDATE`; // CREATE INDEX CONCURRENTLY waits for its end
    await release;
  });
  const killed = migrateElsewhere();
  await until(async () => (await indexes())["things_by_a"] === false);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  // Its session ends by itself, although its statement still waits.
  await until(async () => (await migrators()).length === 0);
  expect(await indexes()).toEqual({ things_by_a: false });

  const lines: string[] = [];
  const next = migrateBy(database.url, route(), { report: (line) => lines.push(line) });
  await until(async () => lines.some((line) => line.startsWith("waiting for ")));
  resolve();
  await reader;
  expect(await next).toEqual(["1001 indexes"]);
  expect(await indexes()).toEqual({ things_by_a: true, things_by_b: true });
  expect(lines[0]).toBe("the index survey.things_by_a was begun and not completed: dropping it, to build it anew");
  expect(lines.join("\n")).toMatch(/waiting for .*held by pid \d+ \(.*application test, idle in transaction/);
  expect(await migrateBy(database.url, route())).toEqual([]);
}, 180_000);

test("who waits for its turn does not hold up the one who builds an index", async () => {
  await sql`DROP INDEX survey.things_by_a, survey.things_by_b`;
  await sql`DELETE FROM public.schema_version WHERE version = 1001`;
  const applied = await Promise.all([1, 2, 3].map(() => migrateBy(database.url, route())));
  expect(applied.flat()).toEqual(["1001 indexes"]);
  expect(await indexes()).toEqual({ things_by_a: true, things_by_b: true });
});

test("it says how far the index is", async () => {
  await sql`CREATE TABLE survey.many AS SELECT i::text AS a FROM generate_series(1, 1000) AS i`;
  // The index takes three seconds, however fast the machine is.
  await sql.unsafe(`
    CREATE FUNCTION survey.slow(a text) RETURNS text LANGUAGE plpgsql IMMUTABLE
    AS 'BEGIN PERFORM pg_sleep(0.003); RETURN a; END'`);
  const large = await migrationFolder({
    "1002.do.many.outside.sql": "CREATE INDEX CONCURRENTLY IF NOT EXISTS many_by_a ON survey.many (survey.slow(a))",
  });
  const lines: string[] = [];
  await migrateBy(database.url, { ...route(), folder: large.url }, { report: (line) => lines.push(line) });
  await large.remove();
  expect(lines.join("\n")).toMatch(/^index survey\.many_by_a: building index: [a-z ,:()%0-9]+$/m);
});
