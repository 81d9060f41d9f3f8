import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clusterState } from "./cluster-state.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "test" });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

/** Of a cluster for tests, which keeps nothing through a crash. */
const WITHOUT_DURABILITY =
  /^\S+ (?:fsync|full_page_writes) is off$|^\S+ max_worker_processes \d+, and 32 are needed to move shards$/;
const problems = async () => (await clusterState(sql))?.problems.filter((problem) => !WITHOUT_DURABILITY.test(problem));

test.skipIf(process.env["CITUS_URL"] === undefined)(
  "on a Citus cluster (CITUS_URL): what is wrong on a node is found",
  async () => {
    expect(await problems()).toEqual([]);
    await sql`SELECT undistribute_table('survey.questions')`;
    const worker = connectDatabase(database.workers[0] ?? "", { name: "test", connections: 1 });
    await worker`SET citus.enable_manual_changes_to_shards = on`;
    await worker`SET citus.override_table_visibility = off`; // shards are not shown otherwise
    const [shard] = await worker<{ name: string }[]>`
    SELECT oid::regclass::text AS name FROM pg_class WHERE relname ~ '^sources_[0-9]+$' LIMIT 1`;
    await worker`INSERT INTO ${worker(shard?.name ?? "")} (shop_id, name, type) VALUES ('a', 'same', 'tv'), ('b', 'same', 'tv')`;
    await expect(worker.unsafe(`CREATE UNIQUE INDEX CONCURRENTLY planted ON ${shard?.name} (name)`)).rejects.toThrow(
      "unique",
    );
    await worker.end();
    await sql.unsafe(`ALTER ROLE resource_server IN DATABASE ${new URL(database.url).pathname.slice(1)} RESET ALL`);
    expect(await problems()).toEqual([
      "not distributed: survey.questions",
      expect.stringMatching(/^not set: ALTER ROLE resource_server IN DATABASE \w+ SET plan_cache_mode TO 'auto'$/),
      expect.stringMatching(/: indexes not valid: survey\.planted$/),
    ]);
  },
);
