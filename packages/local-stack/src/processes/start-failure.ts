import { readFile } from "node:fs/promises";

const LINES = 15;

/** A part of the stack that did not start; the message has what a person at the terminal needs. */
export class StartFailure extends Error {
  readonly code = "START_FAILURE";
}

/** Says why `name` did not start, with the end of its log. */
export async function startFailure(name: string, why: string, log: string): Promise<StartFailure> {
  const text = await readFile(log, "utf8").catch(() => "");
  const tail = text.trimEnd().split("\n").slice(-LINES).join("\n");
  return new StartFailure(`${name} ${why}${tail ? `; the end of ${log}:\n\n${tail}\n` : `; ${log} is empty`}`);
}
