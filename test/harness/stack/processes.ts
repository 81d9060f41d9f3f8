import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import type { Answer } from "../actors/http.ts";
import type { OwnStack } from "./stacks.ts";

export function pidOf(stack: OwnStack, name: string): number {
  const found = stack.now.processes.find((process) => process.name === name);
  if (!found) throw new Error(`no process ${name}`);
  return found.pid;
}

/** Ends one of the stack's processes by `signal`, and waits until another one serves. */
export async function restart(stack: OwnStack, name: string, signal: "SIGKILL" | "SIGTERM") {
  const before = pidOf(stack, name);
  process.kill(before, signal);
  await until(() =>
    stack.now.processes.some(({ name: other, pid }) => other === name && pid !== before),
  );
  await until(() => isReady(stack, name));
}

export async function isReady(stack: OwnStack, name: string): Promise<boolean> {
  return await fetch(`${stack.internalUrls[name]}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Waits for the condition, at most a minute: starting a process may take 10 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await condition()); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`not within 60 s: ${condition}`);
  }
}

/**
 * Suspends the process, so that it starts no others, and then its descendants, which answer
 * Postgres's clients; some may have ended by then. Returns a function that continues all.
 */
export async function suspendTree(pid: number): Promise<() => void> {
  const send = (id: number, signal: NodeJS.Signals) => {
    try {
      process.kill(id, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  process.kill(pid, "SIGSTOP");
  const all = await processTree(pid);
  for (const id of all) send(id, "SIGSTOP");
  return () => {
    for (const id of all) send(id, "SIGCONT");
  };
}

async function processTree(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-e", "-o", "pid=,ppid="]);
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []));
  return [pid, ...below(pid)];
}

export interface LoadCall<A extends Pick<Answer, "status"> = Answer> {
  /** Milliseconds: when the call began (`performance.now()`), and how long it took. */
  readonly at: number;
  readonly took: number;
  /** A status, or the cause of a missing response. */
  readonly outcome: string;
  readonly answer: A | null;
}

/** Callers, each of which sends its next request after the last response. */
export interface Load<A extends Pick<Answer, "status"> = Answer> {
  readonly calls: readonly LoadCall<A>[];
  /** Waits for the last answers. Returns how often each outcome came. */
  stop(): Promise<Record<string, number>>;
}

/** Starts callers. `pause`: milliseconds between two calls of one, to simulate a network. */
export function keepAsking<A extends Pick<Answer, "status">>(
  ask: () => Promise<A>,
  callers = 6,
  pause = 5,
): Load<A> {
  const calls: LoadCall<A>[] = [];
  let isOver = false;
  // A test that fails may not call `stop`.
  onTestFinished(() => {
    isOver = true;
  });
  const all = Array.from({ length: callers }, async () => {
    while (!isOver) {
      const at = performance.now();
      const answer = await ask().catch((error: Error) => error);
      const took = performance.now() - at;
      if (answer instanceof Error) calls.push({ at, took, outcome: answer.message, answer: null });
      else calls.push({ at, took, outcome: String(answer.status), answer });
      await sleep(pause);
    }
  });
  return {
    calls,
    async stop() {
      isOver = true;
      await Promise.all(all);
      return Object.fromEntries(
        Map.groupBy(calls, ({ outcome }) => outcome)
          .entries()
          .map(([outcome, those]) => [outcome, those.length]),
      );
    },
  };
}

/** Repeats a request while the answer is 503, or there is none. */
export async function withRetries(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask().catch((error: Error) => error);
    if (!(answer instanceof Error) && answer.status !== 503) return answer;
    if (attempt === 100)
      throw answer instanceof Error ? answer : new Error("503 after 100 attempts");
    await sleep(50);
  }
}
