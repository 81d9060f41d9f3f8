import { connectDatabase, migrate, type Queries, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase, unmigratedDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateAndDistribute } from "../migrate-and-distribute.ts";
import { PLACEMENTS } from "../placements.ts";
import { missingSettings } from "../session-settings.ts";

const PATIENCE = { patience: 10_000 };
const ADMIN_URL = process.env["TEST_DATABASE_URL"];

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(ADMIN_URL);
  sql = connectDatabase(database.url, { name: "test" });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

describe.skipIf(process.env["CITUS_URL"] === undefined)("on a Citus cluster (CITUS_URL)", () => {
  /** The tables, and where they are: `reference`, `hash`, or null. */
  async function placed(on: Queries = sql): Promise<Record<string, string | null>> {
    const rows = await on<{ name: string; placed: string | null }[]>`
      SELECT format('%I.%I', nspname, relname) AS name,
        CASE WHEN repmodel = 't' THEN 'everywhere' WHEN partmethod = 'h' THEN 'by ' || column_to_column_name(c.oid, partkey) END AS placed
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace LEFT JOIN pg_dist_partition ON logicalrelid = c.oid
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname IN ('directory', 'oauth', 'survey')`;
    return Object.fromEntries(rows.map(({ name, placed }) => [name, placed]));
  }
  const asListed = Object.fromEntries([...PLACEMENTS].filter(([, placement]) => placement !== "here"));

  test("all tables lie as the list says, on each node, and those by shop lie together", async () => {
    expect(await placed()).toEqual(asListed);
    for (const url of database.workers) {
      const worker = connectDatabase(url, { name: "test", connections: 1 });
      expect(await placed(worker)).toEqual(asListed);
      await worker.end();
    }
    const groups = await sql`
      SELECT DISTINCT colocationid FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid
      WHERE NOT relispartition AND column_to_column_name(c.oid, partkey) IN ('shop_id', 'client_id')`;
    expect(groups).toHaveLength(1);
  });

  test("roles, their passwords, rights and settings are those of each node, and plans may name a node", async () => {
    for (const url of [database.resourceServerUrl, ...database.workers]) {
      const { host } = new URL(url);
      const there = new URL(database.resourceServerUrl);
      there.host = host;
      const service = connectDatabase(there.href, { name: "test", connections: 1 });
      const [row] = await service`
        SELECT current_setting('plan_cache_mode') AS mode, current_setting('enable_sort') AS sort,
          has_column_privilege('survey.responses', 'doc', 'SELECT') AS reads,
          has_table_privilege('survey.responses', 'UPDATE') AS writes`;
      expect(row).toEqual({ mode: "auto", sort: "off", reads: true, writes: false });
      await service.end();
    }
    expect(await missingSettings(sql)).toEqual([]);
  });

  test("rows that are there already go along, and those that are written meanwhile", async () => {
    const other = await unmigratedDatabase(ADMIN_URL);
    await migrate(other.url);
    const owner = connectDatabase(other.url, { name: "test", connections: 3 });
    await owner`INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || i, i, 'standard' FROM generate_series(1, 100) AS i`;
    await owner`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT 'shop_' || i % 100, i, now(), now(), '{}' FROM generate_series(1, 5000) AS i`;
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      for (; !isOver; written++) {
        await owner`
          INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
          VALUES (${`shop_${written % 100}`}, ${`new ${written}`}, now(), now(), '{}')`;
      }
    })();
    await migrateAndDistribute(other.url, { ...PATIENCE, live: true });
    isOver = true;
    await writing;
    const [responses] = await owner`SELECT count(*)::int AS count FROM survey.responses`;
    const [shops] = await owner`SELECT count(*)::int AS count FROM directory.shops`;
    expect([responses?.["count"], shops?.["count"]]).toEqual([5000 + written, 100]);
    expect(written).toBeGreaterThan(100);
    await owner.end();
    await other.drop();
  }, 60_000);

  test.each([false, true])(
    "what has rows keeps them, and its foreign keys hold again (written meanwhile: %s)",
    async (live) => {
      const other = await unmigratedDatabase(ADMIN_URL);
      await migrate(other.url);
      const owner = connectDatabase(other.url, { name: "test", connections: 1 });
      const keys = () => owner`
        SELECT conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = 'oauth.connections'::regclass AND contype = 'f' ORDER BY 1`;
      const before = [...(await keys())];
      await owner`INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
        SELECT 'shop_' || n % 9, 'r' || n, now(), now(), '{}' FROM generate_series(1, 1000) n`;
      // By which a node asks itself for what it copies.
      const [node] = await owner<{ name: string }[]>`SELECT nodename AS name FROM pg_dist_node WHERE groupid = 0`;
      const [database = ""] = new URL(other.url).pathname.split("/").slice(1);
      await owner.unsafe(`ALTER DATABASE ${database} SET citus.local_hostname = '${node?.name}'`);

      const { distributed } = await migrateAndDistribute(other.url, { ...PATIENCE, live });
      expect(distributed).toHaveLength(PLACEMENTS.size - 1);
      const [found] = await owner`SELECT count(*)::int, count(DISTINCT shop_id)::int AS shops FROM survey.responses`;
      expect(found).toEqual({ count: 1000, shops: 9 });
      expect(before).toHaveLength(3);
      expect([...(await keys())]).toEqual(before);
      await owner.end();
      await other.drop();
    },
    60_000,
  );

  test("before it, a migration gives the roles the settings that they need then, and leaves the tables where they are", async () => {
    const other = await unmigratedDatabase(ADMIN_URL);
    const { distributed } = await migrateAndDistribute(other.url, { ...PATIENCE, distribute: false });
    const owner = connectDatabase(other.url, { name: "test", connections: 1 });
    expect([distributed, await missingSettings(owner), (await placed(owner))["survey.responses"]]).toEqual([
      [],
      [],
      null,
    ]);
    await owner.end();
    await other.drop();
  });

  test("it can be repeated, by several at once, and takes what a migration adds", async () => {
    const other = await unmigratedDatabase(ADMIN_URL);
    await migrate(other.url);
    const all = await Promise.all([1, 2, 3].map(() => migrateAndDistribute(other.url, PATIENCE)));
    expect(all.map(({ distributed }) => distributed.length).toSorted()).toEqual([0, 0, PLACEMENTS.size - 1]);
    const owner = connectDatabase(other.url, { name: "test", connections: 1 });
    await owner`CREATE TABLE survey.things (shop_id text COLLATE "C" PRIMARY KEY)`;
    await expect(migrateAndDistribute(other.url, PATIENCE)).rejects.toMatchObject({
      code: "UNKNOWN_TABLES",
      message: "nobody has said where these tables lie on a cluster: survey.things",
    });
    await owner.end();
    await other.drop();
  });
});
