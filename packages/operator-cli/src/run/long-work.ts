import { countOf, type Progress, reportProgress } from "../terminal/progress.ts";
import { type Context, OperatorError } from "./context.ts";
import { explain } from "./explain.ts";

/** Work that commits step by step, and that the same command goes on with when it ended halfway. */
export interface Steps {
  /** What is counted: 'connection'. */
  readonly noun: string;
  /** How many there are; null: nobody knows. */
  readonly total: number | null;
}

/**
 * Does the work, and shows how far it is. `work` reports how many are done, after each commit, or how many it has read before the first.
 * @throws {OperatorError} when it fails after some are done: the failure, and how many
 */
export async function inSteps<T>(
  { terminal }: Context,
  { noun, total }: Steps,
  work: (report: (count: number, progress?: Partial<Progress>) => void) => Promise<T>,
): Promise<T> {
  let done = 0;
  const progress = reportProgress(terminal.stderr, noun);
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

/** What `count` resolves to, or null if Postgres ended it for its time: a number that people would like to know, and nothing waits for. */
export async function countedInTime(count: Promise<number>): Promise<number | null> {
  return await count.catch((error: { code?: unknown }) => {
    if (error.code === "57014") return null;
    throw error;
  });
}
