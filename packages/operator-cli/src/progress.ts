import { explain, OperatorError } from "./errors.ts";
import { countOf, type Terminal } from "./print.ts";

/** Milliseconds between two reports: many for a terminal, few for a log. */
const TERMINAL_PACE = 100;
const LOG_PACE = 2000;

export interface Progress {
  readonly phase: "reading" | "storing" | "changing";
  readonly records: number;
  /** How much is done, 0 to 1; null: unknown, then only the count is shown. */
  readonly share: number | null;
}

/** Reports long work on stderr, from time to time and when another phase begins. On a terminal the line is overwritten. */
export function reportProgress(stderr: Terminal["stderr"], noun: string) {
  const pace = stderr.isTTY ? TERMINAL_PACE : LOG_PACE;
  let last = Date.now();
  let current: Progress["phase"] | undefined;
  let open = false;
  return {
    report({ phase, records, share }: Progress) {
      const isNew = current !== undefined && current !== phase;
      current = phase;
      const now = Date.now();
      if (now - last < pace && !isNew) return;
      last = now;
      const count = countOf(records, noun);
      const line = share === null ? `${phase}: ${count}` : `${phase}: ${Math.floor(share * 100)} % (${count})`;
      stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
      open = true;
    },
    /** Ends the line on a terminal, so that what follows begins on a new one. */
    end() {
      if (open && stderr.isTTY) stderr.write("\n");
    },
  };
}

/**
 * Does work that commits in steps, and that the same command continues after a failure, and shows its progress. `work` reports how many are
 * done after each commit, or how many it has read before the first. @param total null: unknown
 * @throws {OperatorError} when it fails after some are done: the failure, and how many
 */
export async function inSteps<T>(
  { stderr }: Terminal,
  { noun, total }: { readonly noun: string; readonly total: number | null },
  work: (report: (count: number, progress?: Partial<Progress>) => void) => Promise<T>,
): Promise<T> {
  let done = 0;
  const progress = reportProgress(stderr, noun);
  try {
    return await work(
      (count, { phase = "changing", share = total === null ? null : Math.min(1, count / total) } = {}) => {
        if (phase !== "reading") done = count;
        progress.report({ phase, records: count, share });
      },
    );
  } catch (thrown) {
    if (done === 0) throw thrown;
    const { error, message } = await explain(thrown);
    const hint = "the same command goes on from there";
    throw new OperatorError(`${message}; ${countOf(done, noun)} done before stay so`, { code: error, hint });
  } finally {
    progress.end();
  }
}
