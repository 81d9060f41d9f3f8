import { readFile } from "node:fs/promises";

const LINES = 15;

/** The stack, or a process of it, did not start. The message tells the person at the terminal why, and what to do. */
export class StartFailure extends Error {
  readonly code = "START_FAILURE";
}

/** Why the process `name` did not start, with the end of its log. */
export async function startFailure(name: string, why: string, log: string): Promise<StartFailure> {
  const tail = lastLines(await readFile(log, "utf8").catch(() => ""));
  return new StartFailure(`${name} ${why}${tail ? `; the end of ${log}:\n\n${tail}\n` : `; ${log} is empty`}`);
}

/** As much of what a program printed as a message can have. */
export function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-LINES).join("\n");
}
