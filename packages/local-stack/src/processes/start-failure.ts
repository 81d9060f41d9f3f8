import { readFile } from "node:fs/promises";

const LINES = 15;

/** The stack, or a process of it, did not start. The message tells the person at the terminal why, and what to do. */
export class StartFailure extends Error {
  readonly code = "START_FAILURE";
}

/** Why the process `name` did not start, with the end of its log. */
export async function startFailure(name: string, why: string, log: string): Promise<StartFailure> {
  const text = await readFile(log, "utf8").catch(() => "");
  const tail = text.trimEnd().split("\n").slice(-LINES).join("\n");
  return new StartFailure(`${name} ${why}${tail ? `; the end of ${log}:\n\n${tail}\n` : `; ${log} is empty`}`);
}
