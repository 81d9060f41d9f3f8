import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, migrate, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outcome, runOperator } from "../../harness/actors/operator.ts";
import { makeCluster, type PostgresCluster } from "../../harness/engines/postgres-cluster.ts";
import { until } from "../../harness/stack/processes.ts";

/** Archives while there is a file `works`; else it hangs until a file `fails` makes it fail. */
const COMMAND = "[ -e works ] || { until [ -e fails ]; do sleep 0.1; done; false; }";

let cluster: PostgresCluster;
let sql: Sql;

beforeAll(async () => {
  cluster = await makeCluster();
  await cluster.start({ archive_mode: "on", archive_command: COMMAND });
  await migrate(cluster.url);
  sql = connectDatabase(cluster.url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await cluster?.remove();
});

const cli = (...words: string[]): Promise<Outcome> =>
  runOperator({ dataDir: "/nowhere" }, words, { env: { DATABASE_URL: cluster.url } });

async function doctor(name: string) {
  const { stdout } = await cli("doctor", "--json");
  return JSON.parse(stdout).find(({ check }: { check: string }) => check === name);
}
const archive = () => doctor("postgres-archive");
const standbys = () => doctor("postgres");

/** Makes a file of WAL ready to be archived. */
async function fill(): Promise<void> {
  await sql`SELECT pg_logical_emit_message(true, 'test', 'test')`;
  await sql`SELECT pg_switch_wal()`;
}

test("doctor reports a problem with the WAL archive only if archive_command hangs or fails", async () => {
  await cluster.write("works", "");
  await fill();
  await until(
    async () => (await sql`SELECT FROM pg_stat_archiver WHERE archived_count > 0`).count > 0,
  );
  expect(await archive()).toMatchObject({
    ok: true,
    found: expect.stringMatching(/^the last file was archived at 20/),
  });

  rmSync(join(cluster.folder, "works"));
  await fill();
  const folder = join(cluster.folder, "pg_wal/archive_status");
  const ready = () => readdirSync(folder).filter((name) => name.endsWith(".ready"));
  await until(async () => ready().length > 0);
  expect(await archive()).toMatchObject({ ok: true });
  for (const name of ready()) execFileSync("touch", ["-d", "11 minutes ago", join(folder, name)]);
  expect(await archive()).toMatchObject({
    ok: false,
    found: expect.stringMatching(
      /^1 files wait for archive_command for over 10 min; the last file was archived at 20/,
    ),
  });

  await cluster.write("fails", "");
  await until(
    async () => (await sql`SELECT FROM pg_stat_archiver WHERE failed_count > 0`).count > 0,
  );
  expect((await archive()).found).toMatch(
    /^archive_command fails; the last file was archived at 20/,
  );
});

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
