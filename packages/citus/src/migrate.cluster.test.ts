import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import {
  freshDatabase,
  type MigrationFolder,
  migrateBy,
  migrationFolder,
  type TestDatabase,
} from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdersOnOtherNodes } from "./session-settings.ts";

/** What later migrations may do, on tables that are distributed. */
const MIGRATIONS = {
  "1001.do.columns.sql": `
    ALTER TABLE survey.responses ADD COLUMN extra text, ADD COLUMN number int NOT NULL DEFAULT 1;
    ALTER TABLE survey.responses ADD CONSTRAINT responses_number CHECK (number > 0) NOT VALID;
    ALTER TABLE oauth.connections SET (fillfactor = 80);
    ALTER TABLE directory.shops ADD COLUMN extra text;
    ALTER TABLE oauth.connections ADD CONSTRAINT shop_again FOREIGN KEY (shop_id) REFERENCES directory.shops NOT VALID;
    ALTER TABLE oauth.audit_log ADD COLUMN extra text;
    GRANT SELECT (extra) ON survey.responses TO authorization_server;
    CREATE OR REPLACE FUNCTION survey.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER nothing AFTER UPDATE ON survey.responses FOR EACH ROW EXECUTE FUNCTION survey.nothing();`,
  "1002.do.indexes.outside.sql": `
    CREATE INDEX CONCURRENTLY IF NOT EXISTS responses_by_extra ON survey.responses (shop_id, extra);
    CREATE INDEX CONCURRENTLY IF NOT EXISTS shops_by_extra ON directory.shops (extra);`,
};

describe.skipIf(process.env["CITUS_URL"] === undefined)("on a Citus cluster (CITUS_URL)", () => {
  let database: TestDatabase;
  let sql: Sql;
  let worker: Sql;
  let folder: MigrationFolder;

  beforeAll(async () => {
    database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
    sql = connectDatabase(database.url, { name: "test" });
    worker = connectDatabase(database.workers[0] ?? "", { name: "reader of a worker" });
    await sql`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT 'shop_' || i % 50, i, now(), now(), '{}' FROM generate_series(1, 1000) AS i`;
    folder = await migrationFolder(MIGRATIONS);
  });
  afterAll(async () => {
    await Promise.all([sql?.end(), worker?.end()]);
    await database?.drop();
    await folder?.remove();
  });

  const route = (upTo: number) => ({ folder: folder.url, upTo });

  /** A transaction of a worker that has read the table, and stays open until it is told. */
  async function readAtWorker(): Promise<() => Promise<void>> {
    const [reading, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reader = transaction(worker, async (tx) => {
      await tx`SELECT count(*) FROM survey.responses`;
      reading.resolve();
      await release.promise;
    });
    await reading.promise;
    return async () => {
      release.resolve();
      await reader;
    };
  }

  test("behind a reader of another node a migration waits and tries again, and says who that is; callers go on", async () => {
    const end = await readAtWorker();
    const lines: string[] = [];
    const waits: number[] = [];
    let isOver = false;
    const callers = (async () => {
      for (; !isOver; await pause(5)) {
        const since = performance.now();
        await worker`SELECT FROM survey.responses WHERE shop_id = 'shop_1'`;
        waits.push(performance.now() - since);
      }
    })();
    const migration = migrateBy(database.url, route(1001), {
      report: (line) => void lines.push(line),
      holdersElsewhere: holdersOnOtherNodes,
    });
    await pause(2500);
    await end();
    expect(await migration).toEqual(["1001 columns"]);
    isOver = true;
    await callers;
    // One try waits for 300 ms. Without a time limit on the other node it would be as long as the reader reads.
    expect(Math.max(...waits)).toBeLessThan(1500);
    expect(lines[0]).toMatch(
      /^waiting for a table on another node: held by pid \d+ \(user \w+, application reader of a worker, idle in transaction, for \d s, SELECT count/,
    );
    const [row] = await worker`SELECT number, extra FROM survey.responses WHERE shop_id = 'shop_1' LIMIT 1`;
    expect(row).toEqual({ number: 1, extra: null });
    expect(await sql`SELECT FROM pg_constraint WHERE NOT convalidated`).toHaveLength(0);
  }, 30_000);

  test("killed while it builds an index on all nodes, the next run drops what is half made, and completes all", async () => {
    const end = await readAtWorker();
    const killed = migrateElsewhere();
    const halfMade = () =>
      sql`SELECT FROM pg_index WHERE indexrelid = to_regclass('survey.responses_by_extra') AND NOT indisvalid`;
    await expect.poll(halfMade, { timeout: 20_000 }).toHaveLength(1);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const migrators = () =>
      sql`SELECT FROM pg_stat_activity WHERE application_name = 'migrate' AND datname = current_database()`;
    await expect.poll(migrators, { timeout: 10_000 }).toHaveLength(0);
    await end();
    const lines: string[] = [];
    expect(await migrateBy(database.url, route(1002), { report: (line) => lines.push(line) })).toEqual([
      "1002 indexes",
    ]);
    expect(lines[0]).toMatch(/^the index survey\.responses_by_extra was begun and not completed/);
    await sql`DELETE FROM public.schema_version WHERE version = 1002`;
    expect(await migrateBy(database.url, route(1002))).toEqual(["1002 indexes"]); // where it is built already
    for (const node of [sql, worker]) {
      const found = await node`
        SELECT bool_and(indisvalid) AS valid FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname LIKE '%s_by_extra%'`;
      expect([...found]).toEqual([{ valid: true }]);
    }
  }, 60_000);

  /** A process that migrates, so that it can be killed. */
  function migrateElsewhere(): ChildProcess {
    const script = `
      const { migrateBy } = await import("@partner-connect/database/testing");
      await migrateBy(process.argv[1], { folder: new URL(process.argv[2]), upTo: Infinity });`;
    const words = ["--input-type=module", "--eval", script, database.url, folder.url.href];
    return spawn(process.execPath, words, { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
  }
});
