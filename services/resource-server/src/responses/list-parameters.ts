import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { type PageParameters, readCursor, readLimit, readSingle } from "../pages/parameters.ts";
import { canonicalParameters } from "./legacy-parameters.ts";
import { DEFAULT_SORT, isSortName, SORTS, type SortName, type TimeColumn } from "./sort.ts";
import { parseTimestamp } from "./timestamp.ts";

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

export interface ListParameters extends PageParameters {
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
    const value = readSingle(parameters, name)?.replace(" ", "+") ?? null;
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
    cursor: readCursor(parameters, isPossibleId),
    ranges: {
      inserted_at: { min: insertedMin ?? null, max: insertedMax ?? null },
      updated_at: { min: updatedMin ?? null, max: updatedMax ?? null },
    },
    given,
  };
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
