import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readRows, rowsTable } from "./row.ts";

const HELP = `pnpm test:operations [--short] [part of a file's name …]

What an operator relies on, tried under load: restarts, kills, migrations, key rotation, failover, restore, a pooler.
Prints a table: what was asked, and how much of it failed, was lost or was answered wrongly. Without a name it runs every
scenario. --short leaves out the long ones (*.nightly.test.ts), and tries the others less often.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
});
if (values.help) {
  console.log(HELP);
} else {
  const folder = mkdtempSync(join(tmpdir(), "partner-connect-operations-"));
  const rows = join(folder, "rows");
  const files = globSync("test/operations/**/*.test.ts").filter(
    (path) => positionals.length === 0 || positionals.some((name) => path.includes(name)),
  );
  const run = spawnSync("vitest", ["run", "--config", "test/vitest.config.ts", ...files], {
    stdio: "inherit",
    env: { ...process.env, OPERATIONS_TABLE: rows, [values.short ? "TEST_OPERATIONS" : "TEST_NIGHTLY"]: "1" },
  });
  if (run.error) throw run.error;
  const found = readRows(rows);
  console.log(found.length > 0 ? `\n${rowsTable(found)}\n` : "\nno scenario was run\n");
  if (values.short) console.log(`left out by --short: ${globSync("test/operations/**/*.nightly.test.ts").join(", ")}`);
  rmSync(folder, { recursive: true });
  process.exitCode = run.status ?? 1;
}
