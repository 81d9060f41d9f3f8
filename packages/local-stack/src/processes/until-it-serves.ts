import { setTimeout as sleep } from "node:timers/promises";

const START_LIMIT_MS = 60_000;

/** Null once `serves` says so, else why it never will; `ended` tells that there is nobody left to serve. */
export async function untilItServes(
  serves: () => Promise<boolean>,
  ended: Promise<string>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const deadline = Date.now() + START_LIMIT_MS;
  let outcome: string | null = null;
  void ended.then((how) => {
    outcome = how;
  });
  for (;;) {
    let why = "no answer";
    const served = await serves().catch((error: Error) => {
      why = error.message;
      return false;
    });
    if (outcome !== null || served) return outcome;
    if (signal?.aborted) return "was told to end";
    if (Date.now() > deadline) return `did not serve within ${START_LIMIT_MS / 1000} s (${why})`;
    await Promise.race([ended, sleep(25)]);
  }
}
