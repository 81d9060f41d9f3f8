import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { ClusterCaller } from "./cluster-callers.ts";

/** What became of a call. */
export interface ClusterCall {
  /** The slots whose keys it needs; none for a page of the API. */
  readonly slots: readonly number[];
  /** When it was answered: milliseconds as performance.now() has them. */
  readonly at: number;
  readonly took: number;
  /** A status, or why there was no answer. */
  readonly outcome: string;
}

export interface ClusterLoad {
  readonly calls: readonly ClusterCall[];
  stop(): Promise<void>;
}

/** Milliseconds between two calls of a caller. */
const PAUSE = 40;

/** Each caller refreshes, begins authorizations and reads, without end. */
export function keepCalling(callers: readonly ClusterCaller[]): ClusterLoad {
  const calls: ClusterCall[] = [];
  let isOver = false;
  const keep = async (slots: readonly number[], ask: () => Promise<number>): Promise<void> => {
    while (!isOver) {
      const since = performance.now();
      const outcome = await ask().then(String, (error: Error) => error.message);
      const at = performance.now();
      calls.push({ slots, at, took: at - since, outcome });
      await sleep(PAUSE);
    }
  };
  const all = callers.flatMap((caller) => [
    keep(caller.refreshSlots, caller.refresh),
    keep(caller.authorizeSlots, caller.authorize),
    keep([], caller.read),
  ]);
  // A test that fails may not call `stop`.
  onTestFinished(() => {
    isOver = true;
  });
  return {
    calls,
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

export interface Judged {
  readonly requests: number;
  /** Neither answered as asked nor, for a call that needs one of the slots concerned, 503. */
  readonly failed: number;
  /** What those came to, each once. */
  readonly failures: readonly string[];
  /** 503 for calls that need one of the slots concerned. */
  readonly unavailable: number;
  /** When the last of them came. */
  readonly lastUnavailable: number;
  /** Milliseconds. */
  readonly slowest: number;
}

export function isServed({ outcome }: ClusterCall): boolean {
  return outcome === "200" || outcome === "302";
}

/** `concerned`: whether a slot's keys may be away. */
export function judge(calls: readonly ClusterCall[], concerned: (slot: number) => boolean): Judged {
  const isPromised = ({ outcome, slots }: ClusterCall) => outcome === "503" && slots.some(concerned);
  const failed = calls.filter((call) => !isServed(call) && !isPromised(call));
  const unavailable = calls.filter(isPromised);
  return {
    requests: calls.length,
    failed: failed.length,
    failures: [...new Set(failed.map(({ outcome, slots }) => `${outcome} (slots ${slots.join(", ") || "none"})`))],
    unavailable: unavailable.length,
    lastUnavailable: Math.max(...unavailable.map(({ at }) => at)),
    slowest: Math.max(...calls.map(({ took }) => took)),
  };
}
