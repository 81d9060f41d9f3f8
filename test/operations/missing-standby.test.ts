import { connectDatabase, migrate, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outcome, runOperator } from "../harness/actors/operator.ts";
import { makeCluster, type PostgresCluster } from "../harness/engines/postgres-cluster.ts";
import { until } from "../harness/stack/processes.ts";

let cluster: PostgresCluster;
let sql: Sql;

beforeAll(async () => {
  cluster = await makeCluster();
  await cluster.start();
  await migrate(cluster.url);
  sql = connectDatabase(cluster.url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await cluster?.remove();
});

const cli = (...words: string[]): Promise<Outcome> =>
  runOperator({ dataDir: "/nowhere" }, words, { env: { DATABASE_URL: cluster.url } });

async function standbys() {
  const { stdout } = await cli("doctor", "--json");
  return JSON.parse(stdout).find(({ check }: { check: string }) => check === "postgres");
}

test("doctor reports a missing standby, with a remedy that lets a waiting command finish", async () => {
  expect(await standbys()).toMatchObject({ ok: true });
  await sql`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (db_2, db_3)'`;
  await sql`SELECT pg_reload_conf()`;
  await until(
    async () =>
      (await sql`SELECT WHERE current_setting('synchronous_standby_names') <> ''`).count > 0,
  );

  const written = cli("product-key", "create", "--name", "ada", "--json");
  await until(
    async () => (await sql`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).count > 0,
  );
  const finding = await standbys();
  expect(finding).toEqual({
    check: "postgres",
    ok: false,
    found: "0 of 1 standbys that 'ANY 1 (db_2, db_3)' needs follow, so no commit returns; 1 wait",
    do: expect.stringContaining(
      "ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();",
    ),
  });
  for (const statement of finding.do.match(/(?:ALTER|SELECT)[^;]*;/g)) await sql.unsafe(statement);
  const { exitCode, stdout } = await written;
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { name: "ada", product_key: expect.any(String) },
  ]);
  expect(await standbys()).toMatchObject({ ok: true });
}, 60_000);
