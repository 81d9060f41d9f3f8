import type { StackContext } from "./supervised-process.ts";

const SILENCE_MS = 10_000;

/**
 * Runs one step of a start, and reports it: when it begins, and every ten seconds while it lasts.
 * @param name what is being done, such as "starting Postgres"
 */
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
