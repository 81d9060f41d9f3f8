import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { median, spread } from "./table.ts";

/** A server, and the processes that work on its requests. */
export interface Server {
  readonly url: string;
  readonly pids: { readonly node: number; readonly postgres: number; readonly redis: number };
}

export interface LoadRequest {
  readonly method?: "GET" | "POST";
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Load = Awaited<ReturnType<typeof measure>>;

/** All CPU of a request, milliseconds. */
export const cpuMs = ({ nodeMs, postgresMs, redisMs }: Load): number =>
  nodeMs + postgresMs + redisMs;

/**
 * Loads the server by autocannon; each connection repeats its share of the requests.
 * @param until ends the load; seconds, or a promise
 * @throws when a request fails, or its status is not 2xx
 */
export async function measure(
  { url, pids }: Server,
  requests: readonly LoadRequest[],
  connections: number,
  until: number | Promise<unknown>,
) {
  const used = async () =>
    [
      await familyCpuMs(pids.node),
      await familyCpuMs(pids.postgres),
      await familyCpuMs(pids.redis),
    ] as const;
  const before = await used();
  let next = 0;
  const options = {
    url,
    connections,
    timeout: 60,
    sampleInt: 100,
    duration: typeof until === "number" ? until : 3600,
  };
  const run = autocannon({
    ...options,
    setupClient(client) {
      const own = next++;
      const share = requests.filter((_, index) => index % connections === own % requests.length);
      client.setRequests(share.map((request) => ({ ...request })));
    },
  });
  if (typeof until !== "number") {
    const stop = () => (run as unknown as { stop(): void }).stop();
    void until.then(stop, stop);
  }
  const { latency, duration, non2xx, errors, "2xx": answered } = await run;
  if (non2xx + errors > 0)
    throw new Error(`${url}: ${non2xx} requests were refused, ${errors} failed`);
  const after = await used();
  const each = (index: 0 | 1 | 2): number => (after[index] - before[index]) / answered;
  return {
    requests: answered,
    perSecond: answered / duration,
    /** Milliseconds. */
    p50: latency.p50,
    p99: latency.p99,
    longest: latency.max,
    /** Milliseconds of CPU (user and system) per request. */
    nodeMs: each(0),
    postgresMs: each(1),
    redisMs: each(2),
  };
}

/**
 * Milliseconds of CPU that the process and its children have used, also those that ended. Linux
 * counts it in hundredths of a second.
 */
export async function familyCpuMs(pid: number): Promise<number> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    processes.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")),
  );
  let ticks = 0;
  for (const [index, stat] of stats.entries()) {
    // After the command's name, which is in parentheses: state, parent, …
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(processes[index]) !== pid && Number(fields[1]) !== pid) continue;
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * 10;
}

/** For some ten seconds Node compiles hot code; until then a request costs up to twice the CPU. */
export const WARM_UP_SECONDS = 10;

/** Measures some rounds, after one of `warmUp` seconds that doesn't count. */
export async function inRounds<Round>(
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  work: (seconds: number, round: number) => Promise<Round>,
  warmUp = WARM_UP_SECONDS,
): Promise<Round[]> {
  const found: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    found.push(await work(round === 0 ? warmUp : seconds, round));
  }
  return found.slice(1);
}

export const LOAD_COLUMNS = ["a second", "p99 ms", "CPU ms of one: Node + Postgres + Redis"];

/** A row of {@link LOAD_COLUMNS}. `each`: the number of counted items per request. */
export function loadRow(name: string, loads: readonly Load[], each = 1): string[] {
  const column = (pick: (load: Load) => number) => spread(loads.map(pick), 0);
  const cpu = (["nodeMs", "postgresMs", "redisMs"] as const).map((part) =>
    (median(loads.map((load) => load[part])) / each).toFixed(3),
  );
  return [
    name,
    column(({ perSecond }) => perSecond * each),
    column(({ p99 }) => p99),
    cpu.join(" + "),
  ];
}

/** Resident memory of the process in MB. */
export async function residentMb(pid: number): Promise<number> {
  return (
    Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  );
}

/**
 * Runs one of the peers as a separate process. The peer prints JSON, with its address, once it
 * listens.
 */
export async function startPeer<Printed>(
  name: string,
  env: Record<string, string>,
): Promise<Printed & { readonly pid: number; stop(): void }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`peers/${name}.ts`, import.meta.url))],
    {
      env: { ...process.env, ...env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("{"))
      return { pid: child.pid as number, ...JSON.parse(line), stop: () => child.kill("SIGKILL") };
  }
  throw new Error(`${name} ended before it listened`);
}
