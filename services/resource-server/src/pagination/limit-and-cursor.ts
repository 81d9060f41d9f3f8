import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** A page of large records ends once they reach this: 16 MB. */
export const MOST_PAGE_BYTES = 16 * 1024 * 1024;

/** The id of a record at the edge of a page, as the caller sent it: `starting_after` leads forward, `ending_before` backward. */
export interface Cursor {
  readonly direction: "forward" | "backward";
  readonly id: string;
}

export interface PageParameters {
  readonly limit: number;
  readonly cursor: Cursor | null;
  /** What the caller gave beside the cursor, in canonical names: `prev` and `next` keep it. */
  readonly given: readonly (readonly [name: string, value: string])[];
  /** The time by which the list is sorted: the links carry that of their record, as it was shown, as `cursor_time`. */
  readonly linkTime?: "insertedAt" | "updatedAt";
  /**
   * The page ends before its records reach this number of bytes, which must be more than one record can have. Absent: records are small.
   */
  readonly mostBytes?: number;
}

/** The parameter's one value, or null. @throws {ApiError} 400 when it is repeated */
export function readSingle(parameters: QueryParameters, name: string): string | null {
  const [value, ...more] = parameters.get(name) ?? [];
  if (more.length > 0) throw invalidRequest(name, `${name} may be given once.`);
  return value ?? null;
}

/** @throws {ApiError} 400 unless it is an integer from 1 to 1000 */
export function readLimit(value: string | null): number {
  if (value === null) return DEFAULT_LIMIT;
  const limit = /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidRequest("limit", `limit must be an integer from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/** @throws {ApiError} 400 for both at once, and for what can't be an id */
export function readCursor(parameters: QueryParameters, isPossibleId: (id: string) => boolean): Cursor | null {
  const after = readSingle(parameters, "starting_after");
  const before = readSingle(parameters, "ending_before");
  if (after !== null && before !== null) {
    throw invalidRequest("ending_before", "starting_after and ending_before cannot be used together.");
  }
  const id = after ?? before;
  if (id === null) return null;
  const cursor: Cursor = { direction: after === null ? "backward" : "forward", id };
  if (!isPossibleId(id)) throw unknownCursor(cursor);
  return cursor;
}

/** One answer for every id that this shop does not know, another shop's included. */
export function unknownCursor({ direction }: Cursor): Error {
  const name = direction === "forward" ? "starting_after" : "ending_before";
  return invalidRequest(name, `${name} is not the id of a record of this shop.`, "unknown_cursor");
}

/** Whether a response could have this id: 1 to 64 characters, and no NUL, which Postgres would refuse to compare with. */
export function isPossibleResponseId(id: string): boolean {
  return id !== "" && id.length <= 128 && [...id].length <= 64 && !id.includes("\0");
}
