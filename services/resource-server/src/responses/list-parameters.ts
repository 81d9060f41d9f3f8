import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { type Cursor, type PageParameters, readCursor, readLimit, readSingle } from "../pagination/page-parameters.ts";
import { canonicalParameters } from "./legacy-names.ts";
import { DEFAULT_SORT, isAscending, isSortName, SORTS, type SortName } from "./sort.ts";
import { readTime, readTimeFilters, readTimeText, type TimeRanges } from "./time-filters.ts";

export interface ListCursor extends Cursor {
  /**
   * The sort's time of the record as it was shown, in milliseconds since the epoch: with it the cursor is a whole position.
   * Callers give it as `cursor_time`, the record's `updated_at`; under `inserted_at_*`, where an id is a position, they can't.
   */
  readonly time?: number;
}

export interface ListParameters extends PageParameters {
  readonly cursor: ListCursor | null;
  readonly sort: SortName;
  readonly ranges: TimeRanges;
}

/**
 * Every rule on the parameters of the list. Unknown parameters are ignored.
 * @throws {ApiError} 400 naming the parameter that breaks one
 */
export function readListParameters(sent: QueryParameters): ListParameters {
  const parameters = canonicalParameters(sent);
  const given: [string, string][] = [];
  const kept = (name: string): string | null => {
    const value = readSingle(parameters, name);
    if (value !== null) given.push([name, value]);
    return value;
  };
  const limit = readLimit(kept("limit"));
  const sort = readSort(kept("sort"));
  const filters = readTimeFilters(parameters);
  const cursor = readCursor(parameters, isPossibleId);
  const isByUpdate = SORTS[sort].column === "updated_at";
  return {
    limit,
    sort,
    cursor: isByUpdate ? withTime(parameters, sort, cursor) : cursor,
    ranges: filters.ranges,
    given: [...given, ...filters.given],
    ...(isByUpdate && { linksCarryTime: true }),
  };
}

/** The cursor with its `cursor_time`, where one is given. It has no legacy name. */
function withTime(parameters: QueryParameters, sort: SortName, cursor: Cursor | null): ListCursor | null {
  const value = readTimeText(parameters, "cursor_time");
  if (value === null) return cursor;
  if (!cursor) {
    throw invalidRequest("cursor_time", "cursor_time goes with starting_after or ending_before.");
  }
  const { floor, ceiling } = readTime("cursor_time", value);
  // No record shows a part of a millisecond. A caller who sends one is given too much rather than too little.
  return { ...cursor, time: isAscending(sort, cursor) ? floor : ceiling };
}

function readSort(value: string | null): SortName {
  if (value === null) return DEFAULT_SORT;
  if (!isSortName(value)) throw invalidRequest("sort", `sort must be one of ${Object.keys(SORTS).join(", ")}.`);
  return value;
}

/** Whether a response could have this id: 1 to 64 characters, and no NUL, which Postgres would refuse to compare with. */
function isPossibleId(id: string): boolean {
  return id !== "" && id.length <= 128 && [...id].length <= 64 && !id.includes("\0");
}
