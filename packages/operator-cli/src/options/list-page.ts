import { type Command, Option } from "commander";
import { wholeNumber } from "./values.ts";

/** The options of every command that lists. */
export interface PageOptions {
  readonly limit: number;
  readonly after?: string;
  readonly search?: string;
}

/** @param id what --after takes: '<client>' @param searched what --search looks at: 'the name' */
export function listing(command: Command, id: string, searched: string): Command {
  const limit = new Option("--limit <count>", "how many at most").default(100);
  return command
    .addOption(limit.argParser((text) => wholeNumber(text, "--limit", { min: 1, max: 100_000 })))
    .option(`--after ${id}`, "continue after the one with this id")
    .option("--search <text>", `only those with this in ${searched}, in upper or lower case`);
}

/** The rows of the page, and a note if others follow. @param list is asked for one row more than wanted */
export async function pageOf<T, Asked extends PageOptions>(
  asked: Asked,
  list: (asked: Asked) => Promise<readonly T[]>,
  idOf: (row: T) => string,
): Promise<{ readonly shown: readonly T[]; readonly note?: string }> {
  const found = await list({ ...asked, limit: asked.limit + 1 });
  const shown = found.slice(0, asked.limit);
  const last = shown.at(-1);
  if (found.length === shown.length || last === undefined) return { shown };
  return { shown, note: `note: there are more; --after ${idOf(last)} continues` };
}
