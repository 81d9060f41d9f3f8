import { cpuSeconds, familyCpuSeconds } from "./cpu.ts";
import { type Load, type WrkOptions, type WrkRequest, wrk } from "./wrk.ts";

/** A load, and milliseconds of CPU that a request of it took each process. */
export interface Served extends Load {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly redisMs: number;
}

/** Who works on a request. */
export interface Server {
  readonly url: string;
  readonly pids: { readonly node: number; readonly postgres: number | readonly number[]; readonly redis: number };
}

/** Loads the server as {@link wrk} does, and asks the operating system what that cost. */
export async function serve(
  { url, pids }: Server,
  requests: readonly WrkRequest[],
  options: WrkOptions,
): Promise<Served> {
  const used = async () => {
    const nodes = await Promise.all([pids.postgres].flat().map(familyCpuSeconds));
    const postgres = nodes.reduce((sum, seconds) => sum + seconds, 0);
    return [await familyCpuSeconds(pids.node), postgres, await cpuSeconds(pids.redis)] as const;
  };
  const before = await used();
  const load = await wrk(url, requests, options);
  const after = await used();
  const each = (index: 0 | 1 | 2): number => ((after[index] - before[index]) * 1000) / load.requests;
  return { ...load, nodeMs: each(0), postgresMs: each(1), redisMs: each(2) };
}

/** All of a request's CPU, milliseconds. */
export function cpuMs({ nodeMs, postgresMs, redisMs }: Served): number {
  return nodeMs + postgresMs + redisMs;
}
