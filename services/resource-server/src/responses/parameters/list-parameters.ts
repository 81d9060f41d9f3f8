import { invalidRequest } from "../../errors/api-error.ts";
import type { QueryParameters } from "../../http/query-string.ts";
import {
  isPossibleResponseId,
  MOST_PAGE_BYTES,
  type PageParameters,
  readCursor,
  readLimit,
  readSingle,
} from "../../pagination/limit-and-cursor.ts";
import {
  type Given,
  readCursorTime,
  readTimeRange,
  type TimedCursor,
  type TimeRange,
} from "../../pagination/time-parameters.ts";
import { canonicalParameters } from "./legacy-names.ts";
import { DEFAULT_SORT, isAscending, isSortName, SORTS, type SortName, type TimeColumn } from "./sort.ts";

/** Bytes of the longest record, by the constraint responses_doc_size. */
const LONGEST_RECORD = 136 * 1024;

export interface ListParameters extends PageParameters {
  /** `cursor_time` has no legacy name. */
  readonly cursor: TimedCursor | null;
  readonly sort: SortName;
  readonly ranges: TimeRanges;
}

/** Every rule on the parameters of the list; unknown ones are ignored. @throws {ApiError} 400 naming the parameter that breaks one */
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
    // Counting bytes takes Postgres 0.3 µs a record, so shorter pages are spared it.
    ...((limit + 1) * LONGEST_RECORD >= MOST_PAGE_BYTES && { mostBytes: MOST_PAGE_BYTES }),
    linkTime: SORTS[sort].column === "inserted_at" ? "insertedAt" : "updatedAt",
  };
}

function readSort(value: string | null): SortName {
  if (value === null) return DEFAULT_SORT;
  if (!isSortName(value)) throw invalidRequest("sort", `sort must be one of ${Object.keys(SORTS).join(", ")}.`);
  return value;
}

export type TimeRanges = Readonly<Record<TimeColumn, TimeRange>>;

interface TimeFilters {
  readonly ranges: TimeRanges;
  readonly given: readonly Given[];
}

/** The four time filters. @throws {ApiError} 400 naming the filter that is repeated, or no RFC 3339 date-time */
function readTimeFilters(parameters: QueryParameters): TimeFilters {
  const inserted = readTimeRange(parameters, "inserted_at");
  const updated = readTimeRange(parameters, "updated_at");
  return {
    ranges: { inserted_at: inserted.range, updated_at: updated.range },
    given: [...inserted.given, ...updated.given],
  };
}
