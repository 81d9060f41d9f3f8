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
    const migration = migrateBy(
      database.url,
      { folder: folder.url },
      {
        report: (line) => void lines.push(line),
        holdersElsewhere: holdersOnOtherNodes,
      },
    );
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
});
