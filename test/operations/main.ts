import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTable } from "./print-table.ts";

const HELP = `pnpm test:operations [part of a file's name …]

What an operator relies on, tried under load: restarts, kills, migrations, key rotation, failover, restore, a pooler.
Prints a table: what was asked, and how much of it failed, was lost or was answered wrongly. Without a name it runs every
scenario, also the long ones (*.nightly.test.ts) that 'pnpm test' leaves out.`;

const names = process.argv.slice(2);
if (names.some((name) => name === "--help" || name === "-h")) {
  console.log(HELP);
} else {
  const folder = mkdtempSync(join(tmpdir(), "partner-connect-operations-"));
  const file = join(folder, "rows");
  const files = globSync("test/operations/**/*.test.ts").filter(
    (path) => names.length === 0 || names.some((name) => path.includes(name)),
  );
  const run = spawnSync("vitest", ["run", "--config", "test/vitest.config.ts", ...files], {
    stdio: "inherit",
    env: { ...process.env, OPERATIONS_TABLE: file, TEST_NIGHTLY: "1" },
  });
  if (run.error) throw run.error;
  printTable(file);
  rmSync(folder, { recursive: true });
  process.exitCode = run.status ?? 1;
}
