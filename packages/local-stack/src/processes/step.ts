import type { Watch } from "./part.ts";

const SILENCE_MS = 10_000;

/**
 * Says which step of a start begins, and again every ten seconds while it lasts, so that whoever waits knows for what.
 * @param name what is being done, such as "starting Postgres"
 */
export async function step<Result>(
  report: Watch["report"],
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
