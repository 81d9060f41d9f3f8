import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { canonicalParameters } from "./legacy-parameters.ts";
import { DEFAULT_SORT, isSortName, SORTS, type SortName, type TimeColumn } from "./sort.ts";
import { parseTimestamp } from "./timestamp.ts";

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

export interface Cursor {
  readonly direction: "after" | "before";
  readonly id: string;
}

export interface ListParameters {
  readonly limit: number;
  readonly sort: SortName;
  readonly cursor: Cursor | null;
  readonly ranges: Readonly<Record<TimeColumn, TimeRange>>;
  /** What the caller gave of limit, sort and filters, in canonical names: `prev` and `next` keep it. */
  readonly given: readonly (readonly [name: string, value: string])[];
}

const FILTERS = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"] as const;

/**
 * Every rule on the parameters of the list. Unknown parameters are ignored.
 * @throws {ApiError} 400 naming the parameter that breaks one
 */
export function readListParameters(sent: QueryParameters): ListParameters {
  const parameters = canonicalParameters(sent);
  const given: [string, string][] = [];

  const single = (name: string): string | null => {
    const [value, ...more] = parameters.get(name) ?? [];
    if (more.length > 0) throw invalidRequest(name, `${name} may be given once.`);
    return value ?? null;
  };
  const kept = (name: string): string | null => {
    const value = single(name);
    if (value !== null) given.push([name, value]);
    return value;
  };

  const limit = readLimit(kept("limit"));
  const sort = readSort(kept("sort"));
  const [insertedMin, insertedMax, updatedMin, updatedMax] = FILTERS.map((name) => {
    const value = single(name)?.replace(" ", "+") ?? null;
    if (value === null) return null;
    given.push([name, value]);
    const time = parseTimestamp(value);
    if (!time) throw invalidRequest(name, `${name} must be an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z.`);
    // Stored times are whole milliseconds: the bounds that mean the same are the ones next to it, inside the range.
    return name.endsWith("_min") ? time.ceiling : time.floor;
  });
  return {
    limit,
    sort,
    cursor: readCursor(single("starting_after"), single("ending_before")),
    ranges: {
      inserted_at: { min: insertedMin ?? null, max: insertedMax ?? null },
      updated_at: { min: updatedMin ?? null, max: updatedMax ?? null },
    },
    given,
  };
}

function readLimit(value: string | null): number {
  if (value === null) return DEFAULT_LIMIT;
  const limit = /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidRequest("limit", `limit must be an integer from 1 to ${MAX_LIMIT}.`);
  return limit;
}

function readSort(value: string | null): SortName {
  if (value === null) return DEFAULT_SORT;
  if (!isSortName(value)) throw invalidRequest("sort", `sort must be one of ${Object.keys(SORTS).join(", ")}.`);
  return value;
}

function readCursor(after: string | null, before: string | null): Cursor | null {
  if (after !== null && before !== null) {
    throw invalidRequest("ending_before", "starting_after and ending_before cannot be used together.");
  }
  const id = after ?? before;
  if (id === null) return null;
  const direction = after === null ? "before" : "after";
  if (!isPossibleId(id)) throw unknownCursor(direction);
  return { direction, id };
}

/** Whether a record could have this id. What Postgres would refuse to compare with (NUL) can't be one. */
function isPossibleId(id: string): boolean {
  return id.length >= 1 && id.length <= 64 && !id.includes("\0");
}

/** One answer for every id that this shop never had, another shop's included. */
export function unknownCursor(direction: Cursor["direction"]): Error {
  const name = direction === "after" ? "starting_after" : "ending_before";
  return invalidRequest(name, `${name} is not the id of a response of this shop.`);
}
