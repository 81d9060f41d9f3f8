import { ASCENDING, DESCENDING } from "../../pagination/direction.ts";
import type { Position } from "../../pagination/position.ts";
import type { Walk } from "./walk.ts";

/**
 * The position that a cursor stands for, in at most one row: `at`, `id`, and `is_listed`: the cursor's record stands there and
 * passes the filters, so it is itself what precedes the page. No row: this shop never had such a record.
 *
 * Index: responses_pkey, deleted_responses_pkey.
 * @param id the parameter that the cursor's id is bound to
 * @param position where the record stood when the caller was shown it; null where that is not known, or can't change
 */
export function cursorPositionSql(walk: Walk, id: string, position: Position | null): string {
  return position ? givenPositionSql(walk, id, position) : recordPositionSql(walk, id);
}

/** The position is known. Postgres says only whether this shop has or had the record. */
function givenPositionSql({ shop, bindTime }: Walk, id: string, { at }: Position): string {
  return `SELECT ${bindTime(at)} AS at, ${id}::text AS id, false AS is_listed
WHERE EXISTS (SELECT FROM survey.responses WHERE shop_id = ${shop} AND id = ${id})
  OR EXISTS (SELECT FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${id})`;
}

/**
 * The position from which nothing is lost, whenever the caller was shown the record. Ascending by `updated_at` that is its
 * `inserted_at`, as it never stood before that; descending it is where it stands now, as it never stood later. A deleted record
 * left its earliest and its latest times behind.
 *
 * A record that was deleted and came again has both rows. By `updated_at` the two together say the position, and the memory of
 * positions sees to it that such a walk ends. By `inserted_at` the record says it alone: a page that ends with the record would
 * otherwise lead back to where it stood before it was deleted, again and again.
 */
function recordPositionSql({ shop, column, direction, bounds, otherFilter }: Walk, id: string): string {
  const at = direction === ASCENDING ? "inserted_at" : column;
  const left = direction === DESCENDING && at === "inserted_at" ? "coalesce(last_inserted_at, inserted_at)" : at;
  const start = bounds.start ? ` AND (r.${column}, r.id) ${direction.after} ${bounds.start.row}` : "";
  const isGone = "NOT EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = d.shop_id AND r.id = d.id)";
  return `SELECT r.${at} AS at, r.id, (r.${at} = r.${column}${start}${otherFilter}) AS is_listed
FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}
UNION ALL
SELECT ${left}, d.id, false FROM survey.deleted_responses d
WHERE d.shop_id = ${shop} AND d.id = ${id}${column === "inserted_at" ? ` AND ${isGone}` : ""}
ORDER BY at ${direction.order}, is_listed DESC LIMIT 1`;
}
