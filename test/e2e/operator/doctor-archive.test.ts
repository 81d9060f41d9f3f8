import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, migrate, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runOperator } from "../../harness/actors/operator.ts";
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

async function archive() {
  const env = { DATABASE_URL: cluster.url };
  const { stdout } = await runOperator({ dataDir: "/nowhere" }, ["doctor", "--json"], { env });
  return JSON.parse(stdout).find(({ check }: { check: string }) => check === "postgres-archive");
}

/** Makes a file of WAL ready to be archived. */
async function fill(): Promise<void> {
  await sql`SELECT pg_logical_emit_message(true, 'test', 'test')`;
  await sql`SELECT pg_switch_wal()`;
}

test("doctor reports a WAL archive only if it hangs or fails", async () => {
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
