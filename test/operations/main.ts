import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { parseArgs } from "node:util";

const HELP = `pnpm test:operations [--short] [part of a file's name …]

What an operator relies on, tried under load: restarts, kills, key rotation, failover, restore, an erasure. Without a name it
runs every drill. --short tries each less often, and without a name runs only a kill, a failover, a product, a Redis Cluster and Citus.`;

/** The drills of `.ci/run`. */
const SHORT = ["replicas", "failover", "product", "redis-cluster", "citus"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const names = positionals.length === 0 && values.short ? SHORT : positionals;
  const files = globSync("test/operations/*.test.ts").filter(
    (path) => names.length === 0 || names.some((name) => path.includes(name)),
  );
  const { status } = spawnSync("vitest", ["run", "--config", "test/vitest.config.ts", ...files], {
    stdio: "inherit",
    env: { ...process.env, [values.short ? "TEST_OPERATIONS" : "TEST_NIGHTLY"]: "1" },
  });
  process.exitCode = status ?? 1;
}
