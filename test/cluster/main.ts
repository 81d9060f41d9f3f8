import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ENGINE_SETS } from "./engine-sets.ts";
import { type Outcome, outcomeTable } from "./outcome.ts";
import { runOn } from "./run-engines.ts";
import { testFiles } from "./test-files.ts";

const HELP = `pnpm test:cluster [plain] [redis] [citus] [all] [--quick] [part of a file's name …]

The tests of the whole system, of the services, and of the packages that ask the stores, on each of these:
${ENGINE_SETS.map(({ name, title }) => `  ${name.padEnd(8)}${title}`).join("\n")}

Without a name: on each of the four. A part of a file's name leaves the other files out. --quick: some files, in a minute.

Redis Cluster: redis-server on the PATH. Citus: the cluster at CITUS_URL, with the same database at each worker in
CITUS_WORKERS (a JSON array of URLs); else what the program at CITUS_START starts; else
containers, where a container engine answers. Where there is none, its tests are skipped, and named.

Progress goes to stderr; at the end stdout has what was skipped, what failed, and the table. Exit 1 if something failed.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    /** A folder for vitest's results, one file for each set of engines. */
    results: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  const sets = ENGINE_SETS.filter(({ name }) => positionals.includes(name));
  const names = positionals.filter((text) => !ENGINE_SETS.some(({ name }) => name === text));
  const files = testFiles({ quick: values.quick, names });
  const folder = values.results ?? mkdtempSync(join(tmpdir(), "partner-connect-cluster-results-"));
  const outcomes: Outcome[] = [];
  for (const set of sets.length > 0 ? sets : ENGINE_SETS) {
    console.error(`== on ${set.title}: ${files.length} files`);
    outcomes.push(await runOn(set, files, join(folder, `${set.name}.json`)));
  }
  for (const { engines, skipped, failures } of outcomes) {
    for (const line of skipped) console.log(`skipped on ${engines.name}: ${line}`);
    for (const line of failures) console.log(`failed on ${engines.name}: ${line}`);
  }
  console.log(`\n${outcomeTable(outcomes)}\n`);
  process.exitCode = outcomes.some(({ failed }) => failed > 0) || files.length === 0 ? 1 : 0;
}
