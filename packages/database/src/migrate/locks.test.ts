import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { transaction } from "../pool/transaction.ts";
import { migrationFolder } from "../testing/migration-folder.ts";
import { suiteDatabase } from "../testing/suite.ts";
import { migrate } from "./migrate.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "long reader", connections: 4 });
const folder = await migrationFolder(afterAll);

await sql`CREATE TABLE survey.things (id int PRIMARY KEY)`;
await sql`CREATE TABLE survey.others (id int PRIMARY KEY)`;

/** Applies these files after those of earlier tests. Returns what was applied and reported. */
async function run(
  files: Readonly<Record<string, string>>,
  { patience = 10_000, lines = [] as string[] } = {},
) {
  await folder.add(files);
  const applied = migrate(database.url, {
    folder: folder.url,
    patience,
    report: (line) => lines.push(line),
  });
  return { lines, applied: await applied.catch((error: Error) => error) };
}

/** Reads the table in a transaction that stays open until the returned function is called. */
async function startReading(): Promise<() => Promise<void>> {
  const [reading, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = transaction(sql, async (tx) => {
    await tx`SELECT id, 'secret of a customer' FROM survey.things`;
    reading.resolve();
    await release.promise;
  });
  await reading.promise;
  return async () => {
    release.resolve();
    await ended;
  };
}

/** The columns other than `id`. */
async function columns(table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = ${table}::text::regclass AND attnum > 1 AND NOT attisdropped ORDER BY attnum`;
  return rows.map(({ name }) => name);
}

test("a migration that waits for a long reader lets short readers pass, and reports the blocking session", async () => {
  const endReading = await startReading();
  let answered = 0;
  let isOver = false;
  const readers = Promise.all(
    [0, 1, 2].map(async () => {
      for (; !isOver; await pause(5)) {
        await sql`SELECT FROM survey.things`;
        answered++;
      }
    }),
  );
  const lines: string[] = [];
  const running = run(
    { "1001.do.a.sql": "ALTER TABLE survey.things ADD COLUMN a int" },
    { patience: 60_000, lines },
  );
  // If the migration kept its place in the queue, short readers would wait for the long one.
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  const before = answered;
  await expect.poll(() => answered).toBeGreaterThan(before + 50);
  await endReading();
  const { applied } = await running;
  isOver = true;
  await readers;
  expect(applied).toEqual(["1001 a"]);
  expect(lines[0]).toMatch(
    /^waiting for survey\.things: held by pid \d+ \(user \w+, application long reader, idle in transaction, for \d+ s, SELECT id, \? FROM survey\.things\)$/,
  );
  expect(lines.at(-1)).toMatch(/^applied 1001 a \(\d+\.\d s\)$/);
});

test("a migration that gets no lock in time changes nothing, and the migrations before it stay applied", async () => {
  const endReading = await startReading();
  const files = {
    "1002.do.before.sql": "ALTER TABLE survey.others ADD COLUMN before int",
    "1003.do.b.sql":
      "ALTER TABLE survey.others ADD COLUMN b int; ALTER TABLE survey.things ADD COLUMN b int",
  };
  const { applied, lines } = await run(files, { patience: 1000 });
  expect(applied).toMatchObject({
    name: "MigrationError",
    code: "MIGRATION_LOCKED",
    message: expect.stringMatching(
      /^migration 1003 b changed nothing: it got no lock within 1 s, held by pid \d+ \(.*application long reader/,
    ),
    hint: expect.stringMatching(
      /^run migrate again when that session has ended, or end it with 'SELECT pg_terminate_backend\(\d+\)'$/,
    ),
  });
  expect(lines[0]).toMatch(/^applied 1002 before/);
  expect([await columns("survey.others"), await columns("survey.things")]).toEqual([
    ["before"],
    ["a"],
  ]);
  await endReading();
  expect((await run(files)).applied).toEqual(["1003 b"]);
});

test("a failed migration changes nothing, and the error contains the migration's name and Postgres's message", async () => {
  const { applied } = await run({
    "1004.do.wrong.sql": "ALTER TABLE survey.others ADD COLUMN c int; SELECT 1 / 0",
  });
  expect(applied).toMatchObject({
    code: "MIGRATION_FAILED",
    message: "migration 1004 wrong changed nothing: division by zero (22012)",
  });
  expect(await columns("survey.others")).toEqual(["before", "b"]);
});

test("when the process of a migration is killed, its statement ends, so that the next run can start", async () => {
  const name = "1004.do.wrong.sql";
  await folder.add({ [name]: "SELECT pg_sleep(600)" });
  const script = `
    const { migrate } = await import(${JSON.stringify(new URL("migrate.ts", import.meta.url).href)});
    await migrate(process.argv[1], { folder: new URL(process.argv[2]) });`;
  const words = ["--input-type=module", "--eval", script, database.url, folder.url.href];
  const killed = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  const asleep = () => sql`
    SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`;
  await expect.poll(asleep, { timeout: 20_000 }).toHaveLength(1);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect((await run({ [name]: "SELECT 1" })).applied).toEqual(["1004 wrong"]);
});
