import { setTimeout as sleep } from "node:timers/promises";
import type { LocalStack } from "@partner-connect/local-stack";

export interface Killer {
  readonly kills: number;
  /** Such as 'resource-server-2'; null before the first. */
  readonly last: string | null;
  /** The longest that one took until it was ready again, in seconds. */
  readonly slowestReturn: number;
  stop(): Promise<void>;
}

const RETURN_LIMIT_MS = 30_000;

/** Kills one replica every `everyMs`, in turn, as a machine that fails would: SIGKILL. */
export function killReplicas(stack: LocalStack, everyMs: number, problem: (line: string) => void): Killer {
  const names = Object.keys(stack.internalUrls).toSorted((one, other) => one.slice(-1).localeCompare(other.slice(-1)));
  let kills = 0;
  let last: string | null = null;
  let slowestReturn = 0;
  let work = Promise.resolve();

  const kill = async (): Promise<void> => {
    const name = names[kills % names.length] ?? "";
    const found = stack.state.processes.find((process) => process.name === name);
    if (!found) return problem(`${name} is not running when it was to be killed`);
    kills += 1;
    last = name;
    const since = performance.now();
    process.kill(found.pid, "SIGKILL");
    while (!(await isBack(stack, name, found.pid))) {
      if (performance.now() - since > RETURN_LIMIT_MS) return problem(`${name} is not back after 30 s`);
      await sleep(100);
    }
    slowestReturn = Math.max(slowestReturn, (performance.now() - since) / 1000);
  };
  const timer = setInterval(() => {
    work = work.then(kill);
  }, everyMs);
  return {
    get kills() {
      return kills;
    },
    get last() {
      return last;
    },
    get slowestReturn() {
      return slowestReturn;
    },
    async stop() {
      clearInterval(timer);
      await work;
    },
  };
}

async function isBack(stack: LocalStack, name: string, killed: number): Promise<boolean> {
  if (!stack.state.processes.some((process) => process.name === name && process.pid !== killed)) return false;
  return await fetch(`${stack.internalUrls[name]}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
