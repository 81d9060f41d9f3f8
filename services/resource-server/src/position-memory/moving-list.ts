import type { Caller } from "../authentication/caller.ts";
import type { TimedCursor } from "../pagination/time-parameters.ts";

/** A request for a list whose records move, as far as the memory of positions has to know it. */
export interface MovingList {
  readonly cursor: TimedCursor | null;
  /** Whether the page is read in ascending order of time. */
  readonly isAscending: boolean;
  /** Names the walks that share a memory. An id alone doesn't tell them apart. */
  readonly walks: string;
}

/** The walks of one caller in one order, within the same bounds. */
export function walksOf(caller: Caller, order: string, bounds: object): string {
  return JSON.stringify([caller.id, order, bounds]);
}
