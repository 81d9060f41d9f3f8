import { explain, OperatorError } from "./errors.ts";
import { countOf, type Terminal } from "./print.ts";

/** Minimum milliseconds between two lines of progress, on a terminal and in a log. */
const TERMINAL_PACE = 100;
const LOG_PACE = 2000;

type Phase = "reading" | "storing" | "changing";

/** @param share how much is done, 0 to 1; null if unknown, and only the count is printed */
type Report = (count: number, phase?: Phase, share?: number | null) => void;

/**
 * Runs work that commits in steps. After a failure, repeating the command continues it. `work`
 * reports the number done after each commit, or the number read before the first. Progress is
 * printed on stderr periodically and when a phase begins; on a terminal the line is overwritten.
 * @param total null if unknown @throws {OperatorError} if it fails after some steps, with the
 * number that is done
 */
export async function withProgress<T>(
  { stderr }: Terminal,
  { noun, total }: { readonly noun: string; readonly total: number | null },
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const pace = stderr.isTTY ? TERMINAL_PACE : LOG_PACE;
  let done = 0;
  let last = Date.now();
  let current: Phase | undefined;
  let isShown = false;
  const report: Report = (
    count,
    phase = "changing",
    share = total && Math.min(1, count / total),
  ) => {
    if (phase !== "reading") done = count;
    const isNew = current !== undefined && current !== phase;
    current = phase;
    if (Date.now() - last < pace && !isNew) return;
    last = Date.now();
    const line = `${phase}: ${share === null ? countOf(count, noun) : `${Math.floor(share * 100)} % (${countOf(count, noun)})`}`;
    stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    isShown = true;
  };
  try {
    return await work(report);
  } catch (thrown) {
    if (done === 0) throw thrown;
    const { error, message } = await explain(thrown);
    const kept = `${countOf(done, noun)} ${done === 1 ? "was" : "were"} done before that and not undone`;
    const hint = "run the same command again to continue";
    throw new OperatorError(`${message}; ${kept}`, { code: error, hint });
  } finally {
    if (isShown && stderr.isTTY) stderr.write("\n"); // later output begins on a new line
  }
}
