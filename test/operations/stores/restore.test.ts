import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { postgresPrograms } from "@partner-connect/local-stack/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyWhileItRuns, makeCluster, type PostgresCluster } from "../../harness/engines/postgres-cluster.ts";
import { restoreDrill } from "./restore-drill.ts";

const ARCHIVE_COMMAND = fileURLToPath(new URL("../../../deploy/operations/archive-wal.sh", import.meta.url));
const POINT = "before_the_mistake";

let folder: string;
let archive: string;
let cluster: PostgresCluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-restore-"));
  archive = join(folder, "archive");
  await mkdir(archive);
  // Postgres's user has to come to them.
  const { user } = await postgresPrograms();
  await copyFile(ARCHIVE_COMMAND, join(folder, "archive-wal.sh"));
  await chmod(folder, 0o755);
  if (user) await chmod(archive, 0o777);
  cluster = await makeCluster();
  const command = `${join(folder, "archive-wal.sh")} %p %f ${archive}`;
  await cluster.start({ archive_mode: "on", archive_command: command, archive_timeout: "60s" });
});
afterAll(async () => {
  await cluster?.remove();
  await rm(folder, { recursive: true, force: true });
});

test("a copy that was made under load, and the log up to a point: every connection and every write until then is there, and nothing later", {
  timeout: 180_000,
}, async () => {
  let made: string | undefined;
  await restoreDrill({
    name: "copy under load, archive",
    cluster,
    async copy() {
      made = await copyWhileItRuns(cluster);
    },
    mark: async (sql) => await sql`SELECT pg_create_restore_point(${POINT})`,
    async restore() {
      await promisify(execFile)("cp", ["-a", made ?? expect.fail(), cluster.folder]);
      await cluster.write("recovery.signal", "");
      await cluster.start({
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: POINT,
        recovery_target_action: "promote",
      });
    },
  });
});
