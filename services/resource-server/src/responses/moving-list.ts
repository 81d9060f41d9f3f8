import type { Caller } from "../authentication/caller.ts";
import { type MovingList, walksOf } from "../position-memory/moving-list.ts";
import type { ListParameters } from "./parameters/list-parameters.ts";
import { isAscending, SORTS } from "./parameters/sort.ts";

/** The listing as the memory of positions sees it. By `inserted_at`, which only an import changes, nothing is remembered. */
export function movingList(caller: Caller, { cursor, sort, ranges }: ListParameters): MovingList {
  const isRemembered = SORTS[sort].column === "updated_at";
  return {
    cursor,
    isAscending: isAscending(sort, cursor),
    walks: isRemembered ? walksOf(caller, sort, ranges) : null,
  };
}
