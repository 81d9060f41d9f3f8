import { PAGE_LIMIT } from "@partner-connect/contract/openapi";
import type { QueryParameters } from "@partner-connect/service-runtime";
import {
  type Cursor,
  givenOf,
  isPossibleResponseId,
  MOST_PAGE_BYTES,
  type PageParameters,
  readCursor,
  type TimeRange,
  timedCursor,
  timeRange,
} from "../pagination/page-parameters.ts";

/** The values of `sort` (openapi.json). Ties are broken by id, in the sort's direction. */
export const SORTS = {
  inserted_at_desc: { column: "inserted_at", descending: true },
  inserted_at_asc: { column: "inserted_at", descending: false },
  updated_at_desc: { column: "updated_at", descending: true },
  updated_at_asc: { column: "updated_at", descending: false },
} as const;

export type SortName = keyof typeof SORTS;
export type TimeColumn = (typeof SORTS)[SortName]["column"];

export const SORT_NAMES = Object.keys(SORTS) as SortName[];
export const DEFAULT_SORT: SortName = "inserted_at_desc";

/**
 * True if the page is read in ascending order. In a descending sort that is the case only with
 * `ending_before`, in an ascending one only without it.
 */
export function readsAscending(sort: SortName, cursor: Cursor | null): boolean {
  return SORTS[sort].descending === (cursor?.side === "before");
}

/** Legacy parameter names (guides/versioning.md). sort and updated_at_* have none. */
export const LEGACY_NAMES: ReadonlyMap<string, string> = new Map([
  ["since", "inserted_at_min"],
  ["until", "inserted_at_max"],
  ["after", "starting_after"],
  ["before", "ending_before"],
]);

/**
 * Drops legacy names whose canonical name was sent too. Other legacy names stay, so that errors
 * name what was sent.
 */
export function withoutOverriddenNames(parameters: QueryParameters): QueryParameters {
  const isOverridden = (name: string) => {
    const canonical = LEGACY_NAMES.get(name);
    return canonical !== undefined && parameters.has(canonical);
  };
  return new Map([...parameters].filter(([name]) => !isOverridden(name)));
}

/** The parameters that the schema in responses.schema.ts accepts. */
export type SentParameters = { readonly limit?: number; readonly sort?: SortName } & Partial<
  Readonly<Record<SentText, string>>
>;

type SentText =
  | "starting_after"
  | "ending_before"
  | "cursor_time"
  | `${TimeColumn}_${"min" | "max"}`
  | "since"
  | "until"
  | "after"
  | "before";

/** Bytes; the limit of the constraint responses_doc_size. */
const LONGEST_RECORD = 144 * 1024;

export type TimeRanges = Readonly<Record<TimeColumn, TimeRange>>;

export interface ListParameters extends PageParameters {
  readonly sort: SortName;
  readonly ranges: TimeRanges;
}

/** Reads parameters and legacy names, and checks the rules between them. @throws {ApiError} 400 */
export function readListParameters({ since, until, ...sent }: SentParameters): ListParameters {
  const query = {
    ...(since && { inserted_at_min: since }),
    ...(until && { inserted_at_max: until }),
    ...sent,
  };
  const { limit = PAGE_LIMIT.fallback, sort = DEFAULT_SORT } = query;
  const cursor = readCursor(query, isPossibleResponseId);
  return {
    limit,
    sort,
    cursor: timedCursor(cursor, query.cursor_time, readsAscending(sort, cursor)),
    ranges: {
      inserted_at: timeRange(query.inserted_at_min, query.inserted_at_max),
      updated_at: timeRange(query.updated_at_min, query.updated_at_max),
    },
    given: givenOf(
      query,
      "limit",
      "sort",
      "inserted_at_min",
      "inserted_at_max",
      "updated_at_min",
      "updated_at_max",
    ),
    // Counting bytes costs Postgres 0.3 µs per record, so pages that can't reach the limit skip it.
    ...((limit + 1) * LONGEST_RECORD >= MOST_PAGE_BYTES && { mostBytes: MOST_PAGE_BYTES }),
    sortTime: SORTS[sort].column,
  };
}
