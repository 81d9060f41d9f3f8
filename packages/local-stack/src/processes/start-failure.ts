import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const LINES = 15;

/** The stack, or a process of it, did not start. The message tells the person at the terminal why, and what to do. */
export class StartFailure extends Error {
  readonly code = "START_FAILURE";
}

/** Why the process `name` did not start, with the end of its log. */
export async function startFailure(name: string, why: string, log: string): Promise<StartFailure> {
  const tail = lastLines(await readFile(log, "utf8").catch(() => ""));
  return new StartFailure(`${name} ${why}${tail ? `; the end of ${log}:\n\n${tail}\n` : `; ${log} is empty`}`);
}

export function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-LINES).join("\n");
}

const START_LIMIT_MS = 60_000;

/** Waits until `serves` is true. Null then, else why it won't be: it has ended (`ended` says how), was aborted, or took a minute. */
export async function untilItServes(
  serves: () => Promise<boolean>,
  ended: Promise<string>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const deadline = Date.now() + START_LIMIT_MS;
  let end: string | null = null;
  void ended.then((how) => {
    end = how;
  });
  for (;;) {
    let why = "no answer";
    const served = await serves().catch((error: Error) => {
      why = error.message;
      return false;
    });
    if (end !== null || served) return end;
    if (signal?.aborted) return "was told to end";
    if (Date.now() > deadline) return `did not serve within ${START_LIMIT_MS / 1000} s (${why})`;
    await Promise.race([ended, sleep(25)]);
  }
}
