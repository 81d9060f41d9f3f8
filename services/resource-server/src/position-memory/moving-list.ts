import type { Caller } from "../authentication/caller.ts";
import type { TimedCursor } from "../pagination/time-parameters.ts";

/** A request for a list whose records move, as far as the memory of positions has to know it. */
export interface MovingList {
  readonly cursor: TimedCursor | null;
  /** Whether the page is read in ascending order of time. */
  readonly isAscending: boolean;
  /** Names the walks that share a memory; an id alone doesn't tell them apart. Null: nothing is remembered of them. */
  readonly walks: string | null;
}

/** The walks of one caller in one order, within the same bounds. */
export function walksOf(caller: Caller, order: string, bounds: object): string {
  return JSON.stringify([caller.id, order, bounds]);
}
