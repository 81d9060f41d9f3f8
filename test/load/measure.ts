import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { median, spread } from "./table.ts";

export interface Server {
  readonly url: string;
  readonly pids: { readonly node: number; readonly postgres: number; readonly redis: number };
}

export interface LoadRequest {
  readonly method?: "GET" | "POST";
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Load = Awaited<ReturnType<typeof measure>>;

/** All CPU of a request, milliseconds. */
export const cpuMs = ({ nodeMs, postgresMs, redisMs }: Load): number =>
  nodeMs + postgresMs + redisMs;

/** What a load generator saw. Times are milliseconds. */
interface Seen {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Loads a server by some connections, which send the requests in turn, until `until` settles. */
type Generator = (
  url: string,
  requests: readonly LoadRequest[],
  connections: number,
  until: Promise<unknown>,
) => Promise<Seen>;

/** Takes a tenth of autocannon's CPU, so that the server gets the rest of the machine. */
const wrk: Generator = async (url, requests, connections, until) => {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-wrk-"));
  const script = join(folder, "requests.lua");
  await writeFile(script, wrkScript(requests));
  const [threads, hour] = ["--threads=1", "--duration=3600s"];
  const args = [threads, hour, `--connections=${connections}`, "--timeout=60s", "--script", script];
  const child = spawn("wrk", [...args, url], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => child.kill("SIGINT");
  until.then(stop, stop);
  const printed = await text(child.stdout);
  await rm(folder, { recursive: true });
  const seen = /^seen (\{.*\})$/m.exec(printed)?.[1];
  if (!seen) throw new Error(`wrk: ${printed}`);
  return JSON.parse(seen);
};

/** A JSON string without control characters is also a Lua string. */
const wrkScript = (requests: readonly LoadRequest[]): string => `local requests, turn = {}, 0
function init()
${requests
  .map(({ method = "GET", path, headers, body }) => {
    const fields = Object.entries(headers).map((field) => {
      const [name, value] = field.map((part) => JSON.stringify(part));
      return `[${name}] = ${value}`;
    });
    const words = [method, path].map((word) => JSON.stringify(word)).join(", ");
    const sent = body === undefined ? "nil" : JSON.stringify(body);
    return `  requests[#requests + 1] = wrk.format(${words}, { ${fields.join(", ")} }, ${sent})`;
  })
  .join("\n")}
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\\nseen {"answered":%d,"refused":%d,"failed":%d,"seconds":%f,"p50":%f,"p99":%f,"longest":%f}\\n',
    summary.requests - errors.status, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
`;

const byAutocannon: Generator = async (url, requests, connections, until) => {
  let next = 0;
  const run = autocannon({
    ...{ url, connections, timeout: 60, sampleInt: 100, duration: 3600 },
    setupClient(client) {
      const own = next++;
      const share = requests.filter((_, index) => index % connections === own % requests.length);
      client.setRequests(share.map((request) => ({ ...request })));
    },
  });
  const stop = () => (run as unknown as { stop(): void }).stop();
  until.then(stop, stop);
  const {
    latency,
    duration: seconds,
    non2xx: refused,
    errors: failed,
    "2xx": answered,
  } = await run;
  const { p50, p99, max: longest } = latency;
  return { answered, refused, failed, seconds, p50, p99, longest };
};

const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;
if (!hasWrk) {
  console.error(
    "wrk is not installed: autocannon loads the servers, and takes as much CPU as they do",
  );
}
const [load] = loadavg();
if (load !== undefined && load > 1) {
  console.error(`the machine's load is ${load.toFixed(1)}: figures of a busy machine mean little`);
}

/** Measures CPU under load for `until` seconds, or until it settles. @throws if a call fails */
export async function measure(
  { url, pids }: Server,
  requests: readonly LoadRequest[],
  connections: number,
  until: number | Promise<unknown>,
) {
  const used = async () =>
    [
      await processTreeCpuMs(pids.node),
      await processTreeCpuMs(pids.postgres),
      await processTreeCpuMs(pids.redis),
    ] as const;
  const before = await used();
  const end = typeof until === "number" ? sleep(until * 1000) : until;
  const seen = await (hasWrk ? wrk : byAutocannon)(url, requests, connections, end);
  const { answered, refused, failed, seconds, ...times } = seen;
  if (refused + failed > 0)
    throw new Error(`${url}: ${refused} requests were refused, ${failed} failed`);
  const after = await used();
  const each = (index: 0 | 1 | 2): number => (after[index] - before[index]) / answered;
  return {
    requests: answered,
    perSecond: answered / seconds,
    ...times,
    /** Milliseconds of CPU (user and system) per request. */
    ...{ nodeMs: each(0), postgresMs: each(1), redisMs: each(2) },
  };
}

/** Milliseconds of CPU of the process and its children, ended ones too; Linux counts 10 ms. */
export async function processTreeCpuMs(pid: number): Promise<number> {
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

/** Resident memory of the process in MB: now, or at its peak. */
export async function residentMb(pid: number, of: "VmRSS" | "VmHWM" = "VmRSS"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${of}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** Runs a peer as a separate process, which prints JSON with its address once it listens. */
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
