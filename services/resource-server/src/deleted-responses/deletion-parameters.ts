import { PAGE_LIMIT, pageParameters } from "@partner-connect/contract/openapi";
import Type, { type Static } from "typebox";
import {
  givenOf,
  isPossibleResponseId,
  type PageParameters,
  readCursor,
  type TimeRange,
  timedCursor,
  timeFilters,
  timeParameter,
  timeRange,
} from "../pagination/page-parameters.ts";

export const EXAMPLE_DELETION = {
  id: "res_018cc5f11a7c7e90a3b4c5d6e7f80912",
  deleted_at: "2024-03-05T14:30:00.000Z",
};

export const DeletionQuery = Type.Object({
  ...pageParameters(EXAMPLE_DELETION.id),
  cursor_time: timeParameter(
    "The `deleted_at` of the cursor's record, as it was shown to you: the page then goes on exactly from there, also if the record was " +
      "imported and deleted again since. Only with a cursor.",
    EXAMPLE_DELETION.deleted_at,
  ),
  ...timeFilters("deleted_at", EXAMPLE_DELETION.deleted_at),
});

export interface DeletionParameters extends PageParameters {
  readonly range: TimeRange;
}

/** Checks the rules between parameters. @throws {ApiError} 400 */
export function readDeletionParameters(query: Static<typeof DeletionQuery>): DeletionParameters {
  const cursor = readCursor(query, isPossibleResponseId);
  return {
    limit: query.limit ?? PAGE_LIMIT.fallback,
    cursor: timedCursor(cursor, query.cursor_time, cursor?.side !== "before"),
    range: timeRange(query.deleted_at_min, query.deleted_at_max),
    given: givenOf(query, "limit", "deleted_at_min", "deleted_at_max"),
    sortTime: "deleted_at",
  };
}
