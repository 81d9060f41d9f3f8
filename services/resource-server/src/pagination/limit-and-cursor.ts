import { invalidRequest } from "../errors/api-error.ts";

/** A page of large records ends once they reach this: 16 MB. */
export const MOST_PAGE_BYTES = 16 * 1024 * 1024;

/** The id of a record at the edge of a page, as the caller sent it: `starting_after` leads forward, `ending_before` backward. */
export interface Cursor {
  readonly direction: "forward" | "backward";
  readonly id: string;
}

export type Given = readonly (readonly [name: string, value: string])[];

export interface PageParameters {
  readonly limit: number;
  readonly cursor: Cursor | null;
  /** What the caller gave beside the cursor, in canonical names: `prev` and `next` keep it. */
  readonly given: Given;
  /** The time by which the list is sorted: the links carry that of their record, as it was shown, as `cursor_time`. */
  readonly linkTime?: "insertedAt" | "updatedAt";
  /**
   * The page ends before its records reach this number of bytes, which must be more than one record can have. Absent: records are small.
   */
  readonly mostBytes?: number;
}

/** Those of these parameters that are in the query. A blank in a time is a plus that was not percent-encoded. */
export function givenOf<Query extends object>(query: Query, ...names: readonly (keyof Query & string)[]): Given {
  return names
    .filter((name) => query[name] !== undefined)
    .map((name) => [name, String(query[name]).replace(" ", "+")] as const);
}

interface CursorQuery {
  readonly starting_after?: string;
  readonly ending_before?: string;
}

/** @throws {ApiError} 400 for both at once, and for what can't be an id */
export function readCursor(query: CursorQuery, isPossibleId: (id: string) => boolean): Cursor | null {
  const { starting_after: after, ending_before: before } = query;
  if (after !== undefined && before !== undefined) {
    throw invalidRequest("ending_before", "starting_after and ending_before cannot be used together.");
  }
  const id = after ?? before;
  if (id === undefined) return null;
  const cursor: Cursor = { direction: after === undefined ? "backward" : "forward", id };
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
