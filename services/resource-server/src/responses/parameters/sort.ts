import type { Cursor } from "../../pagination/limit-and-cursor.ts";

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

export function isSortName(value: string): value is SortName {
  return Object.hasOwn(SORTS, value);
}

/** Whether a page is read in ascending order of time: `ending_before` turns the sort's direction round. */
export function isAscending(sort: SortName, cursor: Pick<Cursor, "direction"> | null): boolean {
  return SORTS[sort].descending === (cursor?.direction === "backward");
}
