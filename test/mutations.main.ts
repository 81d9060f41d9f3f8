import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { besideSources, ROOT } from "./tiers.ts";

/**
 * `node test/mutations.main.ts [FILE…]`: Stryker puts faults into the pure rules, in a copy, one at
 * a time, and lists those that no unit test notices. Survivors fail nothing.
 */
const VERSION = "10.1.1";
const RULES = [
  "packages/connections/src/changes/cursor.ts",
  "packages/connections/src/webhooks/{endpoint-url,secrets}.ts",
  "packages/contract/src/{scope,timestamp}.ts",
  "packages/directory/src/clients/{client-rules,registrable-redirect-uri}.ts",
  "packages/directory/src/passwords/password-rule.ts",
  "packages/signing-keys/src/rotation.ts",
  "packages/survey-data/src/import/{split-array,split-lines}.ts",
  "packages/survey-data/src/record/{question-record,record-reader,response-record}.ts",
  "services/authorization-server/src/{redirect-uri,sealed-text}.ts",
  "services/authorization-server/src/authorize/authorization-request.ts",
  "services/authorization-server/src/browser/locale.ts",
  "services/authorization-server/src/consent/{sealed-request,shop-offers}.ts",
  "services/authorization-server/src/partner/diagnose.ts",
  "services/resource-server/src/protected-resource.ts",
  "services/resource-server/src/pagination/{page-parameters,walk}.ts",
  "services/resource-server/src/responses/{list-parameters,list-responses.query}.ts",
];
const FOLDERS = new Set(RULES.map(dirname));
const TESTS = besideSources().unit.filter((path) => FOLDERS.has(dirname(path)));

const given = process.argv.slice(2);
const copy = mkdtempSync(join(tmpdir(), "partner-connect-mutations-"));
try {
  const leftOut = ["node_modules", ".git", ".data"];
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !leftOut.includes(basename(path)) });
  const setupFiles = ["test/real-timers.setup.ts"];
  const vitest = { test: { include: TESTS, setupFiles, pool: "forks" } };
  writeFileSync(
    join(copy, "vitest.mutations.config.js"),
    `export default ${JSON.stringify(vitest)}`,
  );
  const stryker = {
    mutate: given.length > 0 ? given : RULES,
    mutator: { excludedMutations: ["StringLiteral"] }, // most are texts for developers
    plugins: ["@stryker-mutator/vitest-runner"],
    testRunner: "vitest",
    vitest: { configFile: "vitest.mutations.config.js" },
    inPlace: true,
    disableTypeChecks: false,
    concurrency: 2,
    reporters: ["clear-text"],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  };
  writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(stryker));
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  run("add", "--workspace-root", "--save-dev", "--prefer-offline", ...packages);
  run("exec", "stryker", "run");
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function run(...command: readonly string[]): void {
  const { status } = spawnSync("npx", ["--yes", "pnpm@12", ...command], {
    cwd: copy,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`pnpm ${command.join(" ")} exited with ${status}`);
}
