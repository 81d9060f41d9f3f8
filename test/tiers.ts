import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The top of the repository, with a slash at its end. */
export const ROOT = new URL("..", import.meta.url).pathname;

/** Only `pnpm test:cluster` has what they run on. */
export const CLUSTER = "**/*.cluster.test.ts";

/** What takes minutes, or asks for more than a laptop has: `pnpm test:nightly` alone runs them. */
export const NIGHTLY = "**/*.nightly.test.ts";

const BESIDE_SOURCES = [
  "packages/**/src/**/*.test.ts",
  "services/**/src/**/*.test.ts",
  "deploy/**/*.test.ts",
  "test/{cluster,deploy,harness,plain-words,promises,release}/**/*.test.ts",
];

const WANTS_STORES =
  /process\.env\["TEST_(DATABASE|REDIS)_URL"\]|(?<!function )\b(ownRedis|start(Postgres|Redis|LocalStack)\w*)\(/;

/** The tests beside the sources: those that use Postgres or Redis, by themselves or by what they import, and all others. */
export function besideSources(): { readonly unit: string[]; readonly stores: string[] } {
  const found = new Map<string, boolean>();
  const files = globSync(BESIDE_SOURCES, { cwd: ROOT, exclude: (path) => path.endsWith("node_modules") });
  const parts = Map.groupBy(files, (path) => wantsStores(join(ROOT, path), found));
  return { unit: parts.get(false) ?? [], stores: parts.get(true) ?? [] };
}

function wantsStores(file: string, found: Map<string, boolean>): boolean {
  const known = found.get(file);
  if (known !== undefined) return known;
  // Until it is known: a circle of imports ends here.
  found.set(file, false);
  const text = readFileSync(file, "utf8");
  const result = WANTS_STORES.test(text) || helpersOf(file, text).some((helper) => wantsStores(helper, found));
  found.set(file, result);
  return result;
}

/** The files for tests that a file imports: sources start no store. */
function helpersOf(file: string, text: string): string[] {
  const relative = [...text.matchAll(/from "(\.{1,2}\/[^"]*)"/g)].map(([, path = ""]) => join(dirname(file), path));
  const packages = [...text.matchAll(/from "@partner-connect\/([a-z-]+)\/testing"/g)]
    .flatMap(([, name]) => ["testing.ts", "testing/index.ts"].map((path) => `${ROOT}packages/${name}/src/${path}`))
    .filter(existsSync);
  return [...relative, ...packages].filter((path) => /\/testing(\.ts$|\/)|^\/.*\/test\//.test(path));
}
