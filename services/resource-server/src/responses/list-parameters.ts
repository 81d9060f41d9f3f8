import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { type Cursor, type PageParameters, readCursor, readLimit, readSingle } from "../pagination/page-parameters.ts";
import { canonicalParameters } from "./legacy-names.ts";
import { DEFAULT_SORT, isSortName, risesInTime, SORTS, type SortName, type TimeColumn } from "./sort.ts";
import { parseTimestamp, type Timestamp } from "./timestamp.ts";

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

export interface ListCursor extends Cursor {
  /**
   * The sort's time of the record as it was shown, in milliseconds since the epoch: with it the cursor is a whole place.
   * Callers give it as `cursor_time`, the record's `updated_at`; under `inserted_at_*`, where an id is a place, they can't.
   */
  readonly time?: number;
}

export interface ListParameters extends PageParameters {
  readonly cursor: ListCursor | null;
  readonly sort: SortName;
  readonly ranges: Readonly<Record<TimeColumn, TimeRange>>;
}

const FILTERS = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"] as const;

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
  const [insertedMin, insertedMax, updatedMin, updatedMax] = FILTERS.map((name) => {
    const value = withPlus(readSingle(parameters, name));
    if (value === null) return null;
    given.push([name, value]);
    const time = readTime(name, value);
    // Stored times are whole milliseconds: the bounds that mean the same are the ones next to it, inside the range.
    return name.endsWith("_min") ? time.ceiling : time.floor;
  });
  const cursor = readCursor(parameters, isPossibleId);
  const isByUpdate = SORTS[sort].column === "updated_at";
  return {
    limit,
    sort,
    cursor: isByUpdate ? withTime(parameters, sort, cursor) : cursor,
    ranges: {
      inserted_at: { min: insertedMin ?? null, max: insertedMax ?? null },
      updated_at: { min: updatedMin ?? null, max: updatedMax ?? null },
    },
    given,
    ...(isByUpdate && { linksCarryTime: true }),
  };
}

/** The cursor with its `cursor_time`, where one is given. It has no legacy name. */
function withTime(parameters: QueryParameters, sort: SortName, cursor: Cursor | null): ListCursor | null {
  const value = withPlus(readSingle(parameters, "cursor_time"));
  if (value === null) return cursor;
  if (!cursor) {
    throw invalidRequest("cursor_time", "cursor_time goes with starting_after or ending_before.");
  }
  const { floor, ceiling } = readTime("cursor_time", value);
  // No record shows a part of a millisecond. Whoever sends one is given too much rather than too little.
  return { ...cursor, time: risesInTime(sort, cursor) ? floor : ceiling };
}

/** A blank is a plus that was not escaped. */
function withPlus(value: string | null): string | null {
  return value?.replace(" ", "+") ?? null;
}

function readTime(name: string, value: string): Timestamp {
  const time = parseTimestamp(value);
  if (!time) throw invalidRequest(name, `${name} must be an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z.`);
  return time;
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
