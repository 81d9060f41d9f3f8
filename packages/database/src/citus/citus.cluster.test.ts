import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../migrate/migrate.ts";
import { connectDatabase } from "../pool/connect.ts";
import type { Queries, Sql } from "../pool/sql.ts";
import { transaction } from "../pool/transaction.ts";
import { freshDatabase, type TestDatabase, unmigratedDatabase } from "../testing.ts";
import { clusterProblems } from "./cluster-state.ts";
import { distribute } from "./distribute.ts";
import { PLACEMENTS } from "./placements.ts";
import { missingSettings } from "./settings.ts";
import { whileAway } from "./testing.ts";

const PATIENCE = { patience: 10_000 };
const CALLERS = 8;
const ADMIN_URL = process.env["TEST_DATABASE_URL"];

describe.skipIf(process.env["CITUS_URL"] === undefined)("on a Citus cluster (CITUS_URL)", () => {
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

  /** The placement of each table, or null if it is not distributed. */
  async function placed(on: Queries = sql): Promise<Record<string, string | null>> {
    const rows = await on<{ name: string; placed: string | null }[]>`
      SELECT format('%I.%I', nspname, relname) AS name,
        CASE WHEN repmodel = 't' THEN 'everywhere' WHEN partmethod = 'h' THEN 'by ' || column_to_column_name(c.oid, partkey) END AS placed
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace LEFT JOIN pg_dist_partition ON logicalrelid = c.oid
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname IN ('directory', 'oauth', 'survey')`;
    return Object.fromEntries(rows.map(({ name, placed }) => [name, placed]));
  }

  test("on every node each table has its listed placement, and tables distributed by shop or client are colocated", async () => {
    const asListed = Object.fromEntries(
      [...PLACEMENTS].filter(([, placement]) => placement !== "here"),
    );
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

  test("every node has the resource server's role with its password, rights and settings", async () => {
    for (const url of [database.resourceServerUrl, ...database.workers]) {
      const there = new URL(database.resourceServerUrl);
      there.host = new URL(url).host;
      const service = connectDatabase(there.href, { name: "test", connections: 1 });
      const [row] = await service`
        SELECT current_setting('plan_cache_mode') AS mode, current_setting('enable_sort') AS sort,
          has_column_privilege('survey.responses', 'doc', 'SELECT') AS reads,
          has_table_privilege('survey.responses', 'UPDATE') AS writes`;
      expect(row).toEqual({ mode: "auto", sort: "off", reads: true, writes: false });
      await service.end();
    }
  });

  test("while another node is down, concurrent transactions can lock a membership on their own node", async () => {
    await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
    await sql`INSERT INTO directory.shops (id, name, plan) VALUES ('shop', 'S', 'standard')`;
    await sql`INSERT INTO directory.memberships (merchant_id, shop_id) VALUES ('mer', 'shop')`;
    const worker = connectDatabase(database.workers[0] ?? "", { name: "test", connections: 1 });
    const there = new URL(database.authorizationServerUrl);
    there.host = new URL(database.workers[0] ?? "").host;
    const service = connectDatabase(there.href, { name: "test", connections: CALLERS });
    const [other] = await worker<{ groupid: number }[]>`
      SELECT groupid FROM pg_dist_node WHERE groupid NOT IN (0, (SELECT groupid FROM pg_dist_local_group))`;
    let holding = 0;
    const all = Promise.withResolvers<void>();
    const lock = () =>
      transaction(service, async (tx) => {
        const [row] = await tx`SELECT directory.lock_membership('mer', 'shop', 1) AS locked`;
        holding += 1;
        if (holding === CALLERS) all.resolve();
        await all.promise;
        return row?.["locked"];
      });
    await whileAway(worker, other?.groupid ?? 0, async () => {
      expect(await Promise.all(Array.from({ length: CALLERS }, lock))).toEqual(
        Array(CALLERS).fill(true),
      );
    });
    await Promise.all([worker.end(), service.end()]);
  });

  test("distributing a database keeps its rows and foreign keys", async () => {
    const other = await unmigratedDatabase(ADMIN_URL);
    await migrate(other.url);
    const owner = connectDatabase(other.url, { name: "test", connections: 3 });
    expect([await missingSettings(owner), (await placed(owner))["survey.responses"]]).toEqual([
      [],
      null,
    ]);
    const keys = () => owner`
      SELECT conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid = 'oauth.connections'::regclass AND contype = 'f' ORDER BY 1`;
    const before = [...(await keys())];
    await owner`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT 'shop_' || i % 100, i, now(), now(), '{}' FROM generate_series(1, 5000) AS i`;
    expect(await distribute(other.url, PATIENCE)).toHaveLength(PLACEMENTS.size - 1);
    const [found] =
      await owner`SELECT count(*)::int, count(DISTINCT shop_id)::int AS shops FROM survey.responses`;
    expect(found).toEqual({ count: 5000, shops: 100 });
    expect(before).toHaveLength(3);
    expect([...(await keys())]).toEqual(before);
    await owner.end();
    await other.drop();
  });

  test("distributing a database is idempotent, even concurrently, and is refused for a table without a placement", async () => {
    const other = await unmigratedDatabase(ADMIN_URL);
    await migrate(other.url);
    const all = await Promise.all([1, 2, 3].map(() => distribute(other.url, PATIENCE)));
    expect(all.map((distributed) => distributed.length).toSorted()).toEqual([
      0,
      0,
      PLACEMENTS.size - 1,
    ]);
    const owner = connectDatabase(other.url, { name: "test", connections: 1 });
    await owner`CREATE TABLE survey.things (shop_id text COLLATE "C" PRIMARY KEY)`;
    await expect(distribute(other.url, PATIENCE)).rejects.toMatchObject({
      code: "UNKNOWN_TABLES",
      message: "no placement is defined for these tables: survey.things",
    });
    await owner.end();
    await other.drop();
  });

  test("the check of a cluster finds an undistributed table, a missing setting and an invalid index", async () => {
    expect(await problems()).toEqual([]);
    await sql`SELECT undistribute_table('survey.questions')`;
    const worker = connectDatabase(database.workers[0] ?? "", { name: "test", connections: 1 });
    await worker`SET citus.enable_manual_changes_to_shards = on`;
    await worker`SET citus.override_table_visibility = off`; // shards are not shown otherwise
    const [shard] = await worker<{ name: string }[]>`
      SELECT oid::regclass::text AS name FROM pg_class WHERE relname ~ '^sources_[0-9]+$' LIMIT 1`;
    await worker`INSERT INTO ${worker(shard?.name ?? "")} (shop_id, name, type) VALUES ('a', 'same', 'tv'), ('b', 'same', 'tv')`;
    await expect(
      worker.unsafe(`CREATE UNIQUE INDEX CONCURRENTLY planted ON ${shard?.name} (name)`),
    ).rejects.toThrow("unique");
    await worker.end();
    await sql.unsafe(
      `ALTER ROLE resource_server IN DATABASE ${new URL(database.url).pathname.slice(1)} RESET ALL`,
    );
    expect(await problems()).toEqual([
      "not distributed: survey.questions",
      expect.stringMatching(
        /^not set: ALTER ROLE resource_server IN DATABASE \w+ SET plan_cache_mode TO 'auto'$/,
      ),
      expect.stringMatching(/: indexes not valid: survey\.planted$/),
    ]);
  });

  /** A cluster for tests keeps nothing through a crash. */
  async function problems(): Promise<string[] | undefined> {
    const isOfTests =
      /^\S+ (?:fsync|full_page_writes) is off$|^\S+ max_worker_processes \d+, and 32 are needed to move shards$/;
    return (await clusterProblems(sql)).filter((problem) => !isOfTests.test(problem));
  }
});
