import { invalidRequest } from "../errors/api-error.ts";

/** A page of large records ends before it reaches this number of bytes. */
export const MOST_PAGE_BYTES = 16 * 1024 * 1024;

/** The id sent as `starting_after` (forward) or `ending_before` (backward), or by a legacy name. */
export interface Cursor {
  readonly name: keyof CursorQuery;
  readonly direction: "forward" | "backward";
  readonly id: string;
}

export type Given = readonly (readonly [name: string, value: string])[];

export interface PageParameters {
  readonly limit: number;
  readonly cursor: Cursor | null;
  /** The other parameters under their canonical names, for `prev` and `next`. */
  readonly given: Given;
  /** The time by which the list is sorted. The links contain it as `cursor_time`. */
  readonly linkTime?: "insertedAt" | "updatedAt";
  /**
   * The page ends before it reaches this number of bytes, which must exceed the largest record.
   * Lists of small records have no such limit.
   */
  readonly mostBytes?: number;
}

/** Picks the named parameters that are in the query. A blank in a time was an unescaped plus. */
export function givenOf<Query extends object>(
  query: Query,
  ...names: readonly (keyof Query & string)[]
): Given {
  return names
    .filter((name) => query[name] !== undefined)
    .map((name) => [name, String(query[name]).replace(" ", "+")] as const);
}

type CursorQuery = Partial<
  Readonly<Record<"starting_after" | "ending_before" | "after" | "before", string>>
>;

const CURSORS = ["starting_after", "after", "ending_before", "before"] as const;

/** @throws {ApiError} 400 if both cursors are sent, or an id is impossible */
export function readCursor(
  query: CursorQuery,
  isPossibleId: (id: string) => boolean,
): Cursor | null {
  const [sent, other] = CURSORS.flatMap((name) =>
    query[name] === undefined ? [] : { name, id: query[name] },
  );
  if (!sent) return null;
  if (other)
    throw invalidRequest(other.name, `${sent.name} and ${other.name} cannot be used together.`);
  const cursor: Cursor = {
    ...sent,
    direction: sent.name.endsWith("after") ? "forward" : "backward",
  };
  if (!isPossibleId(sent.id)) throw unknownCursor(cursor);
  return cursor;
}

/** The same error for every id that this shop does not know, including other shops' ids. */
export function unknownCursor({ name }: Cursor): Error {
  return invalidRequest(name, `${name} is not the id of a record of this shop.`, "unknown_cursor");
}

/** True for ids of 1 to 64 characters without NUL, which Postgres can't compare. */
export function isPossibleResponseId(id: string): boolean {
  return id !== "" && [...id].length <= 64 && !id.includes("\0");
}
