import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";
import { missingPrograms, type Program, WANTS_STORES } from "./programs.ts";

/** The top of the repository, with a slash at its end. */
export const ROOT = new URL("..", import.meta.url).pathname;

/** Only `pnpm test:cluster` has the engines that they need. */
export const CLUSTER = "**/*.cluster.test.ts";

/** Tests that take minutes, or need more than a laptop has. */
export const NIGHTLY = "**/*.nightly.test.ts";

const BESIDE_SOURCES = [
  "packages/**/src/**/*.test.ts",
  "services/**/src/**/*.test.ts",
  "test/{deploy,harness}/**/*.test.ts",
];

/** The tests beside the sources: those that use a store, also by an import, and all others. */
export function besideSources(): { readonly unit: string[]; readonly service: string[] } {
  const parts = Map.groupBy(testFiles(BESIDE_SOURCES), (path) => says(WANTS_STORES, path));
  return { unit: parts.get(false) ?? [], service: parts.get(true) ?? [] };
}

export interface LeftOut {
  readonly program: Program;
  readonly files: readonly string[];
}

/** The files whose programs this machine lacks, but for those that are left out anyway. */
export function withoutPrograms(leftOut: readonly string[]): LeftOut[] {
  const files = testFiles(["{packages,services,test}/**/*.test.ts"]).filter(
    (path) => !leftOut.some((pattern) => matchesGlob(path, pattern)),
  );
  return missingPrograms()
    .map((program) => ({ program, files: files.filter((path) => says(program.usedBy, path)) }))
    .filter(({ files }) => files.length > 0);
}

function testFiles(patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT, exclude: (path) => path.endsWith("node_modules") }).sort();
}

function says(words: RegExp, path: string): boolean {
  return (
    words.test(path) || [...withHelpers(join(ROOT, path))].some((file) => words.test(textOf(file)))
  );
}

/** The file, and the files for tests that it imports. */
function withHelpers(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const helper of helpersOf(file)) withHelpers(helper, found);
  return found;
}

const texts = new Map<string, string>();
function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, "utf8");
  texts.set(file, text);
  return text;
}

function helpersOf(file: string): string[] {
  const imports = [...textOf(file).matchAll(/from "([^"]*)"/g)].map(([, from = ""]) => from);
  const relative = imports
    .filter((from) => /^\.{1,2}\//.test(from))
    .map((from) => join(dirname(file), from));
  const packages = imports
    .flatMap((from) => /^@partner-connect\/([a-z-]+)\/testing$/.exec(from)?.slice(1) ?? [])
    .flatMap((name) =>
      ["testing.ts", "testing/index.ts"].map((path) => `${ROOT}packages/${name}/src/${path}`),
    );
  return [...relative, ...packages].filter(isHelper).filter(existsSync);
}

function isHelper(path: string): boolean {
  return /\/testing(\.ts$|\/)/.test(path) || path.startsWith(`${ROOT}test/harness/`);
}
