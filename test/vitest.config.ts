import { configDefaults, defineConfig } from "vitest/config";
import { lastLines } from "./last-lines.reporter.ts";
import { besideSources, CLUSTER, NIGHTLY, ROOT, withoutPrograms } from "./tiers.ts";

const stores = `${ROOT}test/harness/stack/stores.setup.ts`;
const stack = `${ROOT}test/harness/stack/stack.setup.ts`;
/** `.ci/run` reads the counts from this file. */
const resultsFile = process.env["TEST_RESULTS_FILE"];
/** Set by `pnpm test:nightly` and `pnpm test:operations`: every file, at its full depth. */
const isNightly = process.env["TEST_NIGHTLY"] !== undefined;
/** Set by `pnpm test:operations --short`. */
const withOperations = isNightly || process.env["TEST_OPERATIONS"] !== undefined;
const onCluster =
  process.env["CITUS_URL"] !== undefined || process.env["REDIS_CLUSTER"] !== undefined;

const otherRuns = [
  ...(onCluster ? [] : [CLUSTER]),
  ...(isNightly ? [] : [NIGHTLY]),
  ...(withOperations ? [] : ["test/operations/**"]),
];
// Each process that a test starts finds our sources compiled.
process.env["NODE_COMPILE_CACHE"] ??= `${ROOT}node_modules/.cache/compiled-for-tests`;

const withoutProgram = withoutPrograms(otherRuns);
if (process.env["CI"] && withoutProgram.length > 0) {
  const names = withoutProgram.map(({ program }) => program.package);
  throw new Error(`In CI no test is left out: apt-get install ${names.join(" ")}`);
}
const leftOut = [
  ...configDefaults.exclude,
  ...otherRuns,
  ...withoutProgram.flatMap(({ files }) => files),
];

/** Tests that load the machine so much that others, which wait a second, would fail. */
const alone = ["services/resource-server/src/memory-bound.test.ts"];

const oneByOne = {
  isolate: true,
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
  testTimeout: 120_000,
};

function project(name: string, test: object) {
  return { extends: true as const, test: { name, ...test } };
}

const { unit, service } = besideSources();
const drills = ["test/operations/*.test.ts"];

/**
 * The tiers (README.md). A project that has no file to run has no set-up, so one unit test starts
 * in a second. Files that load the machine run one after another, at the end.
 */
export default defineConfig({
  root: ROOT,
  test: {
    reporters: [
      "default",
      lastLines(withoutProgram),
      ...(resultsFile ? [["json", { outputFile: resultsFile }] as ["json", object]] : []),
    ],
    setupFiles: [`${ROOT}test/real-timers.setup.ts`],
    taskTitleValueFormatTruncate: 150, // of a `$0` in a title
    pool: "forks",
    // On two cores: while two tests wait, two others have the cores.
    maxWorkers: 4,
    // Loading the libraries for each file takes a fifth of the CPU. A file ends what it starts.
    isolate: false,
    // For hangs only: on a busy machine a test takes several times as long.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    // Instead of a second, which is too short for a busy machine.
    expect: { poll: { timeout: 10_000 } },
    exclude: leftOut,
    projects: [
      project("unit", { include: unit, exclude: [...leftOut, ...alone] }),
      project("service", {
        include: service,
        exclude: [...leftOut, ...alone],
        globalSetup: [stores],
      }),
      project("story", {
        include: ["test/{e2e,faults,clients}/**/*.test.ts"],
        exclude: leftOut,
        globalSetup: [stores, stack],
        testTimeout: 300_000,
      }),
      project("service-alone", {
        include: alone,
        exclude: leftOut,
        globalSetup: [stores],
        ...oneByOne,
      }),
      project("nightly", { include: drills, exclude: leftOut, globalSetup: [stores], ...oneByOne }),
    ],
  },
});
