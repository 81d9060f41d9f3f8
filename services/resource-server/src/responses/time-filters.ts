import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { readSingle } from "../pagination/page-parameters.ts";
import type { TimeColumn } from "./sort.ts";
import { parseTimestamp, type Timestamp } from "./timestamp.ts";

/** Inclusive bounds in whole milliseconds since the epoch. */
export interface TimeRange {
  readonly min: number | null;
  readonly max: number | null;
}

export type TimeRanges = Readonly<Record<TimeColumn, TimeRange>>;

const FILTERS = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"] as const;

export interface TimeFilters {
  readonly ranges: TimeRanges;
  /** The filters as the caller gave them, for the links. */
  readonly given: readonly (readonly [name: string, value: string])[];
}

/**
 * `inserted_at_min`, `inserted_at_max`, `updated_at_min`, `updated_at_max`. Each bound is inclusive, and of any precision.
 * @throws {ApiError} 400 naming the filter that is repeated, or no RFC 3339 date-time
 */
export function readTimeFilters(parameters: QueryParameters): TimeFilters {
  const given: [string, string][] = [];
  const [insertedMin, insertedMax, updatedMin, updatedMax] = FILTERS.map((name) => {
    const value = readTimeText(parameters, name);
    if (value === null) return null;
    given.push([name, value]);
    const time = readTime(name, value);
    // Stored times are whole milliseconds: the next ones inside of the range mean the same.
    return name.endsWith("_min") ? time.ceiling : time.floor;
  });
  return {
    ranges: {
      inserted_at: { min: insertedMin ?? null, max: insertedMax ?? null },
      updated_at: { min: updatedMin ?? null, max: updatedMax ?? null },
    },
    given,
  };
}

/** The parameter's one value, or null. A blank in it is a plus that was not percent-encoded. */
export function readTimeText(parameters: QueryParameters, name: string): string | null {
  return readSingle(parameters, name)?.replace(" ", "+") ?? null;
}

/** @throws {ApiError} 400 naming the parameter unless the value is an RFC 3339 date-time */
export function readTime(name: string, value: string): Timestamp {
  const time = parseTimestamp(value);
  if (!time) throw invalidRequest(name, `${name} must be an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z.`);
  return time;
}
