import { configDefaults, defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const stores = `${root}test/harness/stack/stores.setup.ts`;
const stack = `${root}test/harness/stack/stack.setup.ts`;
/** `.ci/run` reads its counts from there. */
const resultsFile = process.env["TEST_RESULTS_FILE"];

/** They load the machine so that others, which wait for a store for a second at most, would be told that it is away. */
const loading = [
  "packages/database/src/driver/answers.test.ts",
  "services/resource-server/src/memory-bound.test.ts",
  "services/resource-server/src/fuzz.test.ts",
  "test/faults/flood.test.ts",
  "test/operations/**/*.test.ts",
];

/** Minutes each: run by `pnpm test:operations` alone. */
const slow = process.env["OPERATIONS_SLOW"] ? [] : ["test/operations/**/*.slow.test.ts"];

/**
 * Three projects. `unit`: beside the sources, with a Postgres and a Redis of the test run. `stack`: against a complete
 * running stack. `alone`: one after another, when the others have ended. The set-up of a project that has no file to run is
 * left out, so one unit test starts in a second.
 */
export default defineConfig({
  root,
  test: {
    reporters: resultsFile ? ["default", ["json", { outputFile: resultsFile }]] : ["default"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "packages/**/src/**/*.test.ts",
            "services/**/src/**/*.test.ts",
            "test/{cluster,deploy,harness,promises,release,sizing}/**/*.test.ts",
          ],
          exclude: [...configDefaults.exclude, ...loading],
          globalSetup: [stores],
        },
      },
      {
        extends: true,
        test: {
          name: "stack",
          include: ["test/{e2e,faults,clients}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...loading],
          globalSetup: [stores, stack],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: loading,
          exclude: [...configDefaults.exclude, ...slow],
          globalSetup: [stores],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
    ],
  },
});
