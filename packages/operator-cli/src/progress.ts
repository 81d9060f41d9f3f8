import { explain, OperatorError } from "./errors.ts";
import { countOf, type Terminal } from "./print.ts";

/** Milliseconds between two reports: many for a terminal, few for a log. */
const TERMINAL_PACE = 100;
const LOG_PACE = 2000;

type Phase = "reading" | "storing" | "changing";

/** @param share how much is done, 0 to 1; if it is null, only the count is shown */
type Report = (count: number, phase?: Phase, share?: number | null) => void;

/**
 * Runs work that commits in steps. After a failure, repeating the command continues it. `work`
 * reports the number done after each commit, or the number read before the first. Progress is
 * printed on stderr periodically and when a phase begins; on a terminal the line is overwritten.
 * @param total null if unknown @throws {OperatorError} if it fails after some steps, with the
 * number that is done
 */
export async function inSteps<T>(
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
    const hint = "the same command continues from there";
    throw new OperatorError(`${message}; ${countOf(done, noun)} done before stay so`, {
      code: error,
      hint,
    });
  } finally {
    if (isShown && stderr.isTTY) stderr.write("\n"); // later output begins on a new line
  }
}
