import type { Caller } from "../authentication/caller.ts";
import { type MovingList, walksOf } from "../position-memory/moving-list.ts";
import type { ListParameters } from "./list-parameters.ts";
import { isAscending, SORTS } from "./sort.ts";

/** The listing as the memory of positions sees it; null by `inserted_at`, which never changes. */
export function movingList(caller: Caller, { cursor, sort, ranges }: ListParameters): MovingList | null {
  if (SORTS[sort].column !== "updated_at") return null;
  return { cursor, isAscending: isAscending(sort, cursor), walks: walksOf(caller, sort, ranges) };
}
