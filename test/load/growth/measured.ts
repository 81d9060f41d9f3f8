import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { folderOf } from "./kept-stack.ts";
import type { MeasuredCombinations, MeasuredPages } from "./pages.ts";
import type { Stored } from "./stored.ts";
import type { MeasuredWrites } from "./writes.ts";

/** What was measured at one size, as far as it was: the table is vacuumed, its indexes as small as they can be. */
export interface Measured {
  readonly pages?: MeasuredPages;
  readonly stored?: readonly Stored[];
  readonly combinations?: MeasuredCombinations;
  readonly writes?: MeasuredWrites;
}

const fileOf = (millions: number): string => `${folderOf(millions)}.json`;

/** It outlives the table, so that sizes can be measured one by one and shown together. */
export async function readMeasured(millions: number): Promise<Measured> {
  const text = await readFile(fileOf(millions), "utf8").catch(() => "{}");
  return JSON.parse(text);
}

export async function keepMeasured(millions: number, part: Measured): Promise<void> {
  await mkdir(dirname(fileOf(millions)), { recursive: true });
  await writeFile(fileOf(millions), JSON.stringify({ ...(await readMeasured(millions)), ...part }, null, 2));
}
