import { invalidRequest } from "../../errors/api-error.ts";
import type { QueryParameters } from "../../http/query-string.ts";
import {
  isPossibleResponseId,
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

export interface ListParameters extends PageParameters {
  /** `cursor_time` has no legacy name. */
  readonly cursor: TimedCursor | null;
  readonly sort: SortName;
  readonly ranges: TimeRanges;
  /** Only the responses to this question, or that chose this option. Absent: all. */
  readonly only?: IdFilters;
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
  const only = readIdFilters(kept);
  const filters = readTimeFilters(parameters);
  const cursor = readCursor(parameters, isPossibleResponseId);
  return {
    limit,
    sort,
    cursor: readCursorTime(parameters, cursor, isAscending(sort, cursor)),
    ranges: filters.ranges,
    ...(only && { only }),
    given: [...given, ...filters.given],
    linkTime: SORTS[sort].column === "inserted_at" ? "insertedAt" : "updatedAt",
  };
}

function readSort(value: string | null): SortName {
  if (value === null) return DEFAULT_SORT;
  if (!isSortName(value)) throw invalidRequest("sort", `sort must be one of ${Object.keys(SORTS).join(", ")}.`);
  return value;
}

/** The filters by id, each with the function of the database that the indexes responses_of_… begin with. */
export const ID_FILTERS = { question_id: "survey.question_id_of", response_id: "survey.response_id_of" } as const;

export type IdFilters = Readonly<Partial<Record<keyof typeof ID_FILTERS, number>>>;

/** Null: none was given. @throws {ApiError} 400 naming the filter that is no integer */
function readIdFilters(kept: (name: string) => string | null): IdFilters | null {
  const only = Object.keys(ID_FILTERS).flatMap((name) => {
    const value = kept(name);
    if (value === null) return [];
    const id = /^(?:0|-?[1-9]\d{0,15})$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(id)) throw invalidRequest(name, `${name} must be an integer.`);
    return [[name, id] as const];
  });
  return only.length === 0 ? null : Object.fromEntries(only);
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
