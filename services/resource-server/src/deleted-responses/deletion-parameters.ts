import type { QueryParameters } from "../http/query-string.ts";
import {
  isPossibleResponseId,
  type PageParameters,
  readCursor,
  readLimit,
  readSingle,
} from "../pagination/limit-and-cursor.ts";
import { readCursorTime, readTimeRange, type TimedCursor, type TimeRange } from "../pagination/time-parameters.ts";

export interface DeletionParameters extends PageParameters {
  readonly cursor: TimedCursor | null;
  readonly range: TimeRange;
}

/** The parameters of the list of deletions; unknown ones are ignored. @throws {ApiError} 400 naming the parameter that breaks a rule */
export function readDeletionParameters(parameters: QueryParameters): DeletionParameters {
  const limit = readSingle(parameters, "limit");
  const cursor = readCursor(parameters, isPossibleResponseId);
  const { range, given } = readTimeRange(parameters, "deleted_at");
  return {
    limit: readLimit(limit),
    cursor: readCursorTime(parameters, cursor, cursor?.direction !== "backward"),
    range,
    given: [...(limit === null ? [] : [["limit", limit] as const]), ...given],
    linkTime: "updatedAt",
  };
}
