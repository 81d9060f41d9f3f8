import { setTimeout } from "node:timers/promises";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { within } from "../pool/deadline.ts";

const PAUSE_MS = 1000;
const DEADLINE_MS = 2000;

/**
 * Ends this process, with one line on stderr, if `findProblem` finds one in the database. While the database can't be asked the
 * process may start; it is asked until it answers.
 */
export async function requireNoProblem(findProblem: () => Promise<string | null>): Promise<void> {
  if (!(await isAnswered(findProblem))) void askAgain(findProblem);
}

async function askAgain(findProblem: () => Promise<string | null>): Promise<void> {
  do await setTimeout(PAUSE_MS, undefined, { ref: false });
  while (!(await isAnswered(findProblem)));
}

async function isAnswered(findProblem: () => Promise<string | null>): Promise<boolean> {
  try {
    const problem = await within(DEADLINE_MS, findProblem());
    if (problem === null) return true;
    process.stderr.write(`configuration: ${problem}\n`);
    process.exit(1);
  } catch (error) {
    if (isDatabaseFault(error)) return false;
    throw error;
  }
}
