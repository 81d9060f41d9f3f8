import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { CitusStore } from "../harness/engines/citus-store.ts";
import { startCitusStore } from "../harness/engines/start-citus.ts";
import type { EngineSet } from "./engine-sets.ts";
import { whyLeftOut } from "./left-out.ts";
import { type Outcome, readResults } from "./outcome.ts";

/** Starts the engines, runs the test files on them, and ends them. `results` is where vitest leaves its own. */
export async function runOn(engines: EngineSet, files: readonly string[], results: string): Promise<Outcome> {
  const since = performance.now();
  const nothing = { engines, files: 0, passed: 0, failed: 0, failures: [], seconds: 0 };
  if (engines.isRedisCluster && spawnSync("redis-server", ["--version"]).error) {
    return { ...nothing, skipped: ["everything: no redis-server on the PATH"] };
  }
  const citus = engines.isCitus ? await startCitusStore() : null;
  if (citus && "missing" in citus) return { ...nothing, skipped: [`everything: no Citus: ${citus.missing}`] };
  try {
    const left = files.map((file) => ({ file, why: whyLeftOut(file, engines) }));
    const chosen = left.filter(({ why }) => why === null).map(({ file }) => file);
    const skipped = left.filter(({ why }) => why !== null).map(({ file, why }) => `${file}: ${why}`);
    if (chosen.length === 0) return { ...nothing, skipped };
    const code = await runVitest(chosen, { ...process.env, ...variables(engines, citus), TEST_RESULTS_FILE: results });
    const seconds = (performance.now() - since) / 1000;
    if (!existsSync(results)) {
      return { ...nothing, seconds, skipped, failed: 1, failures: [`the run ended with ${code} and left no results`] };
    }
    const found = readResults(results);
    const isSilent = code !== 0 && found.failed === 0;
    return {
      ...{ engines, seconds, ...found, skipped: [...skipped, ...found.skipped] },
      ...(isSilent && { failed: 1, failures: [`the run ended with ${code}, though no test failed`] }),
    };
  } finally {
    await citus?.stop();
  }
}

/** By which test/harness knows its stores. */
function variables(engines: EngineSet, citus: CitusStore | null): Record<string, string | undefined> {
  return {
    REDIS_CLUSTER: engines.isRedisCluster ? "1" : undefined,
    CITUS_URL: citus?.url,
    CITUS_WORKERS: citus ? JSON.stringify(citus.workers) : undefined,
    TEST_REPLICAS: String(engines.replicas),
  };
}

/** What it says goes to stderr: stdout is the table's. */
async function runVitest(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const args = ["run", "--config", "test/vitest.config.ts", ...files];
  const child = spawn("vitest", args, { stdio: ["ignore", process.stderr, process.stderr], env });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
