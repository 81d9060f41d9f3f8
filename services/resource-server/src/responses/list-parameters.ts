import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import {
  type Cursor,
  isPossibleResponseId,
  MOST_PAGE_BYTES,
  type PageParameters,
  readCursor,
  readLimit,
  readSingle,
} from "../pagination/limit-and-cursor.ts";
import {
  type Given,
  readCursorTime,
  readTimeRange,
  type TimedCursor,
  type TimeRange,
} from "../pagination/time-parameters.ts";

/** Spec, sort allowed values. Ties are broken by id, in the sort's direction. */
export const SORTS = {
  inserted_at_desc: { column: "inserted_at", descending: true },
  inserted_at_asc: { column: "inserted_at", descending: false },
  updated_at_desc: { column: "updated_at", descending: true },
  updated_at_asc: { column: "updated_at", descending: false },
} as const satisfies Record<string, Sort>;

export type SortName = keyof typeof SORTS;
export type TimeColumn = "inserted_at" | "updated_at";

export interface Sort {
  readonly column: TimeColumn;
  readonly descending: boolean;
}

export const DEFAULT_SORT: SortName = "inserted_at_desc";

function isSortName(value: string): value is SortName {
  return Object.hasOwn(SORTS, value);
}

/** Whether a page is read in ascending order of time: `ending_before` turns the sort's direction round. */
export function isAscending(sort: SortName, cursor: Pick<Cursor, "direction"> | null): boolean {
  return SORTS[sort].descending === (cursor?.direction === "backward");
}

/** Spec, legacy parameter names. The sort and updated_at_* have no legacy form. */
export const LEGACY_NAMES: ReadonlyMap<string, string> = new Map([
  ["since", "inserted_at_min"],
  ["until", "inserted_at_max"],
  ["after", "starting_after"],
  ["before", "ending_before"],
]);

/** The parameters under their canonical names. Where both are sent the legacy one is ignored whatever it holds, so this comes first. */
function canonicalParameters(parameters: QueryParameters): QueryParameters {
  if (parameters.size === 0) return parameters;
  const canonical = new Map<string, readonly string[]>();
  for (const [name, values] of parameters) {
    const target = LEGACY_NAMES.get(name);
    if (target === undefined) canonical.set(name, values);
    else if (!parameters.has(target)) canonical.set(target, values);
  }
  return canonical;
}

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
