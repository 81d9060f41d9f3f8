import type { Watchdog } from "./watchdog.ts";

/** A process of the stack, in a container or not, that is started again when it ends by itself, until `stop`. */
export interface SupervisedProcess {
  readonly name: string;
  readonly url?: string;
  /** Undefined while it is being started again. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

export interface StackContext {
  report(line: string): void;
  /** To be called when a supervised process has another pid than before. */
  changed(): void;
  readonly watchdog: Watchdog;
  readonly signal?: AbortSignal | undefined;
}

const SILENCE_MS = 10_000;

/** Runs a step of a start, such as "starting Postgres", and reports it: first, and every ten seconds. */
export async function step<Result>(
  report: StackContext["report"],
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  report(name);
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += SILENCE_MS / 1000;
    report(`still ${name} (${seconds} s)`);
  }, SILENCE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
