import type { Command } from "commander";
import { wholeNumber } from "./values.ts";

/** The options of a command that lists. */
export interface PageOptions {
  readonly limit?: number;
  readonly search?: string;
}

/** @param cursor the option that goes on from an element: '--after <client>' */
export function listing(command: Command, cursor: string, searched: string): Command {
  return command
    .option("--limit <count>", "how many at most", (text) => wholeNumber(text, "--limit", { min: 1, max: 100_000 }))
    .option(cursor, "the id of the last one that was shown: goes on from it")
    .option("--search <text>", `only those with this in ${searched}, in upper or lower case`);
}

/**
 * The elements that `list` finds, and a note if there are more. It is asked for one more than wanted.
 * @param edge the option that goes on, with the id of the element to go on from
 */
export async function pageOf<T>(
  wanted: number | undefined,
  list: (limit: number | undefined) => Promise<T[]>,
  edge: (shown: readonly T[]) => string,
): Promise<{ readonly shown: readonly T[]; readonly note?: string }> {
  const found = await list(wanted === undefined ? undefined : wanted + 1);
  if (wanted === undefined || found.length <= wanted) return { shown: found };
  const shown = found.slice(0, wanted);
  return { shown, note: `note: there are more; ${edge(shown)} goes on` };
}
