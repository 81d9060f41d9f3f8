import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase, roleUrl, SERVICE_ROLES } from "@partner-connect/database";
import { expect, onTestFinished, test } from "vitest";
import { runOperator } from "../../harness/actors/operator.ts";
import { makeCluster } from "../../harness/engines/postgres-cluster.ts";

test("migrate sets the roles' passwords, and a log of all statements with their parameters has none of them", async () => {
  const cluster = await makeCluster();
  onTestFinished(() => cluster.remove());
  await cluster.start({ log_statement: "all", log_min_duration_statement: "0", log_parameter_max_length: "-1" });
  const passwords = {
    authorization_server: "correct horse one",
    resource_server: "correct horse two",
    worker: "correct horse three",
    back_office: "correct horse four",
  };
  const env = {
    DATABASE_URL: cluster.url,
    AUTHORIZATION_SERVER_DB_PASSWORD: passwords.authorization_server,
    RESOURCE_SERVER_DB_PASSWORD: passwords.resource_server,
    WORKER_DB_PASSWORD: passwords.worker,
    BACK_OFFICE_DB_PASSWORD: passwords.back_office,
  };
  expect((await runOperator({ dataDir: "/nowhere" }, ["migrate"], { env })).exitCode).toBe(0);
  for (const role of SERVICE_ROLES) {
    const sql = connectDatabase(roleUrl(cluster.url, role, passwords[role]), { name: "test", connections: 1 });
    expect([...(await sql`SELECT current_user AS role`)]).toEqual([{ role }]);
    await sql.end();
  }
  const log = await readFile(join(cluster.folder, "..", "log"), "utf8");
  expect(log).toMatch(/ALTER ROLE authorization_server LOGIN PASSWORD 'SCRAM-SHA-256\$4096:/);
  expect(log).not.toContain("correct horse");
}, 60_000);
