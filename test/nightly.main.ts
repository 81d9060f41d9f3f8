import { spawnSync } from "node:child_process";

/** `pnpm test:nightly`: all tests on all engines, in sequence. Exit 1 if a part failed. */
const PARTS: readonly { readonly name: string; readonly command: readonly string[] }[] = [
  {
    name: "every test and scenario, as deep as they go",
    command: ["env", "TEST_NIGHTLY=1", "vitest", "run", "--config", "test/vitest.config.ts"],
  },
  {
    name: "on Redis Cluster, Citus and both",
    command: ["node", "test/cluster/main.ts", "redis", "citus", "all"],
  },
  {
    name: "faults in the pure rules that no unit test notices",
    command: ["node", "test/mutations.main.ts"],
  },
  { name: "compose, built and run", command: ["test/deploy/containers/compose.sh"] },
];

const failed = PARTS.filter(({ name, command: [program = "", ...args] }) => {
  console.log(`\n== ${name}`);
  return spawnSync(program, args, { stdio: "inherit" }).status !== 0;
});
for (const { name } of failed) console.log(`failed: ${name}`);
process.exitCode = failed.length > 0 ? 1 : 0;
