import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The system from outside, each service on its stores, and the packages that ask the stores. */
const ALL = [
  "test/{e2e,faults,clients}/**/*.test.ts",
  "services/**/src/**/*.test.ts",
  "packages/{audit,changes,connections,contract,database,directory,mail,operator-cli,service-runtime,survey-data}/src/**/*.test.ts",
];

/** What is worth most in a minute: a partner's whole job, exchanges in a race, writes, and what names one shop. */
const QUICK = [
  "test/e2e/partner-job.test.ts",
  "test/e2e/token/token-exchange.test.ts",
  "test/e2e/api/sources.test.ts",
  "services/resource-server/src/deleted-responses/deleted-responses.test.ts",
  "services/resource-server/src/one-shard.cluster.test.ts",
];

/** Paths from the top of the repository, in order; with `names` those that contain one of them. */
export function testFiles({ quick, names }: { readonly quick: boolean; readonly names: readonly string[] }): string[] {
  const files = globSync(quick ? QUICK : ALL, { cwd: ROOT, exclude: (path) => path.includes("node_modules") }).sort();
  return names.length === 0 ? files : files.filter((file) => names.some((name) => file.includes(name)));
}
