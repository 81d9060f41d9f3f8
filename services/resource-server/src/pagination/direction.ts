/**
 * The direction in which a walk reads an index, as SQL says it.
 *
 * The sort and the cursor decide it together. `sort=inserted_at_desc` reads the index descending. With `ending_before` it
 * reads ascending, away from the cursor, so that LIMIT keeps the records next to the cursor; the page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** Between a key and the start of the walk, which is excluded: `(r.inserted_at, r.id) > start`. */
  readonly after: ">" | "<";
  /** Between a key and the end of the walk, which is included: `(r.inserted_at, r.id) <= end`. */
  readonly upTo: "<=" | ">=";
  /** What lies after everything. */
  readonly infinity: "infinity" | "-infinity";
}

export const ASCENDING: Direction = { order: "ASC", after: ">", upTo: "<=", infinity: "infinity" };
export const DESCENDING: Direction = { order: "DESC", after: "<", upTo: ">=", infinity: "-infinity" };

export function opposite(direction: Direction): Direction {
  return direction === ASCENDING ? DESCENDING : ASCENDING;
}

/**
 * `ORDER BY r.inserted_at DESC, r.id DESC`: an index on (shop_id, inserted_at, id) gives this order in either direction.
 * @param time the column, or the name that it has in the query
 */
export function orderBy({ order }: Direction, time: string): string {
  return `ORDER BY ${time} ${order}, r.id ${order}`;
}
