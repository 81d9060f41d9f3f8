import { PAGE_LIMIT } from "@partner-connect/contract/openapi";
import type { Static } from "typebox";
import {
  givenOf,
  isPossibleResponseId,
  type PageParameters,
  readCursor,
  type TimeRange,
  timedCursor,
  timeRange,
} from "../pagination/page-parameters.ts";
import type { DeletionQuery } from "./deleted-responses.schema.ts";

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
