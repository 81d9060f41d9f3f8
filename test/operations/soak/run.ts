import { setTimeout as sleep } from "node:timers/promises";
import { Calls } from "./calls.ts";
import { Counts } from "./counts.ts";
import { type Killer, killReplicas } from "./killer.ts";
import { Memory } from "./memory.ts";
import { closedLoop, type OpenLoop, openLoop } from "./open-loop.ts";
import { progressLine, summary } from "./report.ts";
import { type Verdict, verify } from "./verify.ts";
import { RESPONSES, type SoakWorld, soakWorld } from "./world.ts";
import { type Writers, writeSurvey } from "./writers.ts";

export interface SoakOptions {
  readonly minutes: number;
  /** Of the rate that the stack serves. */
  readonly share: number;
  readonly connections: number;
  /** Seconds. */
  readonly killEvery: number;
  /** Calls a second; default: found out. */
  readonly rate?: number;
  readonly say: (line: string) => void;
}

const WRITE_EVERY_MS = 20_000;
const SAMPLE_EVERY_MS = 10_000;
const PROGRESS_EVERY_MS = 30_000;
const CALLERS = 16;
const CALIBRATION_SECONDS = 20;
/** Of the whole time; until then the processes' memory still comes to its size. */
const WARM_UP = 1 / 3;

/** Returns whether all held that is promised. */
export async function runSoak(options: SoakOptions): Promise<boolean> {
  const { say } = options;
  say(`starting a stack with ${options.connections} connections`);
  const world = await soakWorld(options.connections);
  const over = new AbortController();
  const interrupt = (): void => over.abort();
  process.once("SIGINT", interrupt);
  try {
    const warm = new Calls(world, new Counts());
    for (const connection of world.connections) await warm.refresh(connection);
    const rate = options.rate ?? (await findRate(warm, options));
    return await soak(world, options, rate, over.signal);
  } finally {
    process.off("SIGINT", interrupt);
    await world.end();
  }
}

async function findRate(calls: Calls, { share, say }: SoakOptions): Promise<number> {
  await closedLoop(CALLERS, CALIBRATION_SECONDS / 4, (due) => calls.next(due));
  const served = await closedLoop(CALLERS, CALIBRATION_SECONDS, (due) => calls.next(due));
  say(`${CALLERS} callers get ${served.toFixed(0)} calls a second; the soak sends ${(served * share).toFixed(0)}`);
  return served * share;
}

async function soak(world: SoakWorld, options: SoakOptions, rate: number, over: AbortSignal): Promise<boolean> {
  const { minutes, say } = options;
  const counts = new Counts();
  const calls = new Calls(world, counts);
  const memory = new Memory();
  const problems: string[] = [];
  const began = performance.now();
  const load = openLoop(rate, (due) => calls.next(due));
  const killer = killReplicas(world.stack, options.killEvery * 1000, (line) => problems.push(line));
  const writers = writeSurvey(world, WRITE_EVERY_MS);
  const stopWatching = watch({ world, counts, memory, load, killer, began, say });

  await sleep(minutes * 60_000, undefined, { signal: over }).catch(() => say("interrupted: ending early"));
  stopWatching();
  const hours = (performance.now() - began) / 3_600_000;
  await stopAll(load, killer, writers);
  problems.push(...writers.failures);

  const verdict = await verify(world, calls, RESPONSES + writers.imported);
  say(summary({ counts, memory: memory.lines(hours * WARM_UP), killer, writers, verdict, rate, hours, problems }));
  return passed(world, counts, verdict, problems);
}

async function stopAll(load: OpenLoop, killer: Killer, writers: Writers): Promise<void> {
  await killer.stop();
  await Promise.all([load.stop(), writers.stop()]);
}

function passed(world: SoakWorld, counts: Counts, { intact, lost }: Verdict, problems: readonly string[]): boolean {
  return counts.failed === 0 && intact === world.connections.length && lost === 0 && problems.length === 0;
}

interface Watched {
  readonly world: SoakWorld;
  readonly counts: Counts;
  readonly memory: Memory;
  readonly load: OpenLoop;
  readonly killer: Killer;
  readonly began: number;
  readonly say: (line: string) => void;
}

function watch({ world, counts, memory, load, killer, began, say }: Watched): () => void {
  const sampling = setInterval(() => void memory.sample(world.stack), SAMPLE_EVERY_MS);
  const telling = setInterval(() => say(progressLine({ counts, load, killer, began })), PROGRESS_EVERY_MS);
  return () => {
    clearInterval(sampling);
    clearInterval(telling);
  };
}
