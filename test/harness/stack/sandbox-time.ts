import type { Clock } from "@partner-connect/partner-sdk";
import type { OwnSandbox } from "./sandboxes.ts";

/** The time of a partner's program whose hours are those of the sandbox. */
export interface SandboxTime extends Clock {
  /** Moves the sandbox's clock, and with it what waits here. */
  advance(duration: string): Promise<void>;
}

export function sandboxTime(sandbox: OwnSandbox): SandboxTime {
  let ahead = 0;
  let waiting: { readonly until: number; readonly done: () => void }[] = [];
  const now = () => Date.now() + ahead;
  const wake = () => {
    const due = waiting.filter(({ until }) => until <= now());
    waiting = waiting.filter(({ until }) => until > now());
    for (const { done } of due) done();
  };
  return {
    now,
    sleep: (ms) =>
      new Promise((done) => {
        waiting.push({ until: now() + ms, done });
        // The machine's time passes as well.
        setTimeout(wake, ms).unref();
      }),
    async advance(duration) {
      ahead = (await sandbox.advance(duration)).getTime() - Date.now();
      wake();
    },
  };
}
