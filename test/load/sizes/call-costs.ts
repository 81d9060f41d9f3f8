import { familyCpuSeconds, residentBytes } from "../cpu.ts";
import { table } from "../table.ts";
import { type WrkRequest, wrk } from "../wrk.ts";

export interface Call {
  /** How many at once. */
  readonly callers: readonly number[];
  readonly name: string;
  /** The service that answers it. */
  readonly server: "authorization-server" | "resource-server";
  readonly url: string;
  readonly requests: readonly WrkRequest[];
  readonly headers: Readonly<Record<string, string>>;
}

type Processes = readonly { readonly name: string; readonly pid: number }[];

/** A table of what each call costs the service, Postgres and Redis, by how many callers there are at once. */
export async function callCosts(processes: Processes, calls: readonly Call[], seconds: number): Promise<string> {
  const rows: string[][] = [];
  for (const call of calls) {
    await load(processes, call, 8, 1); // warm
    for (const callers of call.callers) rows.push(await load(processes, call, callers, seconds));
  }
  return table(["call", "callers", "a second", "p50 ms", "p99 ms", "service", "Postgres", "Redis", "MB"], rows);
}

async function load(processes: Processes, call: Call, connections: number, seconds: number): Promise<string[]> {
  const { name, server, url, requests, headers } = call;
  const redis = server === "resource-server" ? "resource-server-redis" : "redis";
  const pids = [`${server}-1`, "postgres", redis].map(
    (wanted) => processes.find((one) => one.name === wanted)?.pid as number,
  );
  const used = () => Promise.all(pids.map(familyCpuSeconds));
  const before = await used();
  const seen = await wrk(url, requests, { connections, seconds, headers });
  const after = await used();
  const costs = after.map((value, index) => (((value - (before[index] ?? 0)) * 1000) / seen.requests).toFixed(3));
  const memory = ((await residentBytes(pids[0] as number)) / 2 ** 20).toFixed(0);
  return [
    name,
    String(connections),
    seen.perSecond.toFixed(0),
    seen.p50.toFixed(1),
    seen.p99.toFixed(1),
    ...costs,
    memory,
  ];
}
