import type { Position } from "../sort.ts";
import { ASCENDING } from "./direction.ts";
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
 * left both times behind; of one that came again, the two rows together say it.
 */
function recordPositionSql({ shop, column, direction, bounds, otherFilter }: Walk, id: string): string {
  const at = direction === ASCENDING ? "inserted_at" : column;
  const start = bounds.start ? ` AND (r.${column}, r.id) ${direction.after} ${bounds.start.row}` : "";
  return `SELECT r.${at} AS at, r.id, (r.${at} = r.${column}${start}${otherFilter}) AS is_listed
FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}
UNION ALL
SELECT ${at}, id, false FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${id}
ORDER BY at ${direction.order}, is_listed DESC LIMIT 1`;
}
