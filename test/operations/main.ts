import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readRows, rowsTable } from "./row.ts";

const HELP = `pnpm test:operations [--short] [part of a file's name …]

What an operator relies on, tried under load: restarts, kills, migrations, key rotation, failover, restore, a pooler.
Prints a table: what was asked, and how much of it failed, was lost or was answered wrongly. Without a name it runs every
scenario. --short tries each less often, and without a name only these: a kill, a failover, a Redis Cluster, Citus.`;

/** What `.ci/run` runs. */
const SHORT = ["killed-replicas", "stores/failover", "redis-cluster", "citus/citus-node-lost"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
});
if (values.help) {
  console.log(HELP);
} else {
  const folder = mkdtempSync(join(tmpdir(), "partner-connect-operations-"));
  const rows = join(folder, "rows");
  const names = positionals.length === 0 && values.short ? SHORT : positionals;
  const files = globSync("test/operations/**/*.test.ts").filter(
    (path) => names.length === 0 || names.some((name) => path.includes(name)),
  );
  const run = spawnSync("vitest", ["run", "--config", "test/vitest.config.ts", ...files], {
    stdio: "inherit",
    env: { ...process.env, OPERATIONS_TABLE: rows, [values.short ? "TEST_OPERATIONS" : "TEST_NIGHTLY"]: "1" },
  });
  if (run.error) throw run.error;
  const found = readRows(rows);
  console.log(found.length > 0 ? `\n${rowsTable(found)}\n` : "\nno scenario was run\n");
  rmSync(folder, { recursive: true });
  process.exitCode = run.status ?? 1;
}
