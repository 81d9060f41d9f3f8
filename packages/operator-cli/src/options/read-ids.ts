import { createInterface } from "node:readline";
import type { Context } from "../run/context.ts";
import { UsageError } from "../run/operator-error.ts";
import { openSource } from "./open-source.ts";

export interface GivenIds {
  readonly id?: readonly string[];
  readonly idsFrom?: string;
}

/**
 * The ids that a command is about, each once: those given one by one, then the lines of the file.
 * @throws {OperatorError} when none is named, or the file can't be read
 */
export async function readIds(context: Context, { id = [], idsFrom }: GivenIds): Promise<string[]> {
  const ids = new Set(id);
  if (idsFrom !== undefined) {
    const { stream } = await openSource(context, idsFrom);
    for await (const line of createInterface({ input: stream })) if (line.trim() !== "") ids.add(line.trim());
  }
  if (ids.size === 0) throw new UsageError("no response is named: give --id, or --ids-from with a file of ids");
  return [...ids];
}
