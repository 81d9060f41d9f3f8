import { invalidRequest } from "../../errors/api-error.ts";
import type { QueryParameters } from "../../http/query-string.ts";
import {
  isPossibleResponseId,
  type PageParameters,
  readCursor,
  readLimit,
  readSingle,
} from "../../pagination/page-parameters.ts";
import { readCursorTime, type TimedCursor } from "../../pagination/time-parameters.ts";
import { canonicalParameters } from "./legacy-names.ts";
import { DEFAULT_SORT, isAscending, isSortName, SORTS, type SortName } from "./sort.ts";
import { readTimeFilters, type TimeRanges } from "./time-filters.ts";

export interface ListParameters extends PageParameters {
  /** `cursor_time` has no legacy name. */
  readonly cursor: TimedCursor | null;
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
  const cursor = readCursor(parameters, isPossibleResponseId);
  return {
    limit,
    sort,
    cursor: readCursorTime(parameters, cursor, isAscending(sort, cursor)),
    ranges: filters.ranges,
    given: [...given, ...filters.given],
    linkTime: SORTS[sort].column === "inserted_at" ? "insertedAt" : "updatedAt",
  };
}

function readSort(value: string | null): SortName {
  if (value === null) return DEFAULT_SORT;
  if (!isSortName(value)) throw invalidRequest("sort", `sort must be one of ${Object.keys(SORTS).join(", ")}.`);
  return value;
}
