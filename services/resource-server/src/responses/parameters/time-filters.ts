import type { QueryParameters } from "../../http/query-string.ts";
import { type Given, readTimeRange, type TimeRange } from "../../pagination/time-parameters.ts";
import type { TimeColumn } from "./sort.ts";

export type TimeRanges = Readonly<Record<TimeColumn, TimeRange>>;

export interface TimeFilters {
  readonly ranges: TimeRanges;
  /** The filters as the caller gave them, for the links. */
  readonly given: readonly Given[];
}

/**
 * `inserted_at_min`, `inserted_at_max`, `updated_at_min`, `updated_at_max`.
 * @throws {ApiError} 400 naming the filter that is repeated, or no RFC 3339 date-time
 */
export function readTimeFilters(parameters: QueryParameters): TimeFilters {
  const inserted = readTimeRange(parameters, "inserted_at");
  const updated = readTimeRange(parameters, "updated_at");
  return {
    ranges: { inserted_at: inserted.range, updated_at: updated.range },
    given: [...inserted.given, ...updated.given],
  };
}
