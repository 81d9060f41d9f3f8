import { setTimeout as sleep } from "node:timers/promises";

const START_LIMIT_MS = 60_000;

/**
 * Waits until `serves` resolves to true. Null then, else why it won't: the process has ended (`ended` says how), the start
 * was aborted, or a minute has passed.
 */
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
