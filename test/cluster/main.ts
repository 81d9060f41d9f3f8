import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { CITUS_ARCHIVE, startCitus } from "../harness/engines/citus-cluster.ts";
import { ROOT } from "../tiers.ts";
import { FILES_OF_ONE_SERVER, TESTS_OF_ONE_POSTGRES } from "./left-out.ts";

/** The stores that the tests run on. */
const ENGINES = {
  plain: { title: "one Postgres, one Redis", redisCluster: false, citus: false, replicas: 2 },
  redis: {
    title: "Redis Cluster: 3 masters, 3 replicas",
    redisCluster: true,
    citus: false,
    replicas: 2,
  },
  citus: { title: "Citus: coordinator, 2 workers", redisCluster: false, citus: true, replicas: 2 },
  all: { title: "both, 3 replicas of each service", redisCluster: true, citus: true, replicas: 3 },
};
type Engines = keyof typeof ENGINES;

/** Tests of the whole system, of each service on its stores, and of packages that query them. */
const ALL = [
  "test/{e2e,faults,clients}/**/*.test.ts",
  "services/**/src/**/*.test.ts",
  "packages/{audit,connections,contract,database,directory,jobs,mail,operator-cli,service-runtime,survey-data}/src/**/*.test.ts",
];

const HELP = `pnpm test:cluster [plain] [redis] [citus] [all] [part of a file's name …]

The tests of the whole system, of the services, and of the packages that ask the stores, on each of these:
${Object.entries(ENGINES)
  .map(([name, { title }]) => `  ${name.padEnd(8)}${title}`)
  .join("\n")}

Without a name: on each of the four. A part of a file's name leaves the other files out.

Redis Cluster: redis-server on the PATH. Citus: the cluster at CITUS_URL, with the same database at each worker in
CITUS_WORKERS (a JSON array of URLs); else one that is started from CITUS_ARCHIVE, a tar of Citus for the files of Postgres 18
on Linux x64. Where there is none, its tests are skipped.

Exit 1 if something failed.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h", default: false },
  },
});

/** Starts the engines, runs the test files on them, and ends them. Returns the exit code. */
async function runOn(name: Engines, files: readonly string[]): Promise<number> {
  const { title, redisCluster, citus: onCitus, replicas } = ENGINES[name];
  const skip = (why: string): number => {
    console.log(`skipped on ${name}: ${why}`);
    return 0;
  };
  if (redisCluster && spawnSync("redis-server", ["--version"]).error)
    return skip("no redis-server on the PATH");
  const leftOut: Readonly<Record<string, string>> = {
    ...(onCitus && FILES_OF_ONE_SERVER.citus),
    ...(redisCluster && FILES_OF_ONE_SERVER.redisCluster),
    ...((onCitus || redisCluster) && FILES_OF_ONE_SERVER.both),
  };
  for (const file of files) if (file in leftOut) skip(`${file}: ${leftOut[file]}`);
  const chosen = files.filter((file) => !(file in leftOut));
  if (chosen.length === 0) return 0;
  const { CITUS_URL: given, CITUS_WORKERS: givenWorkers } = process.env;
  if (onCitus && !given && CITUS_ARCHIVE === null)
    return skip("neither CITUS_URL nor CITUS_ARCHIVE is set");
  const citus = onCitus && !given ? await startCitus() : null;
  console.log(`== on ${title}: ${chosen.length} files`);
  const testsLeftOut = Object.entries(onCitus ? TESTS_OF_ONE_POSTGRES : {}).filter(([path]) =>
    chosen.includes(path),
  );
  for (const [path, { tests, why }] of testsLeftOut) {
    const text = readFileSync(`${ROOT}${path}`, "utf8");
    const gone = tests.find((name) => !text.includes(name));
    if (gone) throw new Error(`left-out.ts: ${path} has no test '${gone}'`);
    skip(`${path}, '${tests.join("', '")}': ${why}`);
  }
  try {
    const env = {
      ...process.env,
      REDIS_CLUSTER: redisCluster ? "1" : undefined,
      CITUS_URL: onCitus ? (citus?.url ?? given) : undefined,
      CITUS_WORKERS: onCitus ? (citus ? JSON.stringify(citus.workers) : givenWorkers) : undefined,
      TEST_REPLICAS: String(replicas),
    };
    const args = ["run", "--config", "test/vitest.config.ts", ...chosen];
    const names = testsLeftOut
      .flatMap(([, { tests }]) => tests)
      .map((name) => name.replace(/[^\w\s]/g, "\\$&"));
    if (names.length > 0) args.push("--testNamePattern", `^(?!.*(?:${names.join("|")}))`);
    const [code] = (await once(spawn("vitest", args, { stdio: "inherit", env }), "exit")) as [
      number | null,
    ];
    return code ?? 1;
  } finally {
    await citus?.remove();
  }
}

if (values.help) {
  console.log(HELP);
} else {
  const isEngine = (text: string): text is Engines => text in ENGINES;
  const engines = positionals.filter(isEngine);
  const parts = positionals.filter((text) => !isEngine(text));
  const found = globSync(ALL, { cwd: ROOT, exclude: (path) => path.includes("node_modules") });
  const files = found
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
  const codes: number[] = [];
  for (const name of engines.length > 0 ? engines : (Object.keys(ENGINES) as Engines[])) {
    codes.push(await runOn(name, files));
  }
  process.exitCode = codes.every((code) => code === 0) && files.length > 0 ? 0 : 1;
}
