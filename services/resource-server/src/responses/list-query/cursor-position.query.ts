import { DESCENDING } from "../../pagination/bounds.ts";
import type { Position } from "../../pagination/time-parameters.ts";
import type { Walk } from "./walk.ts";

/**
 * A cursor's position, in at most one row: `at`, `id`, and `is_listed`: the record stands there and passes the filters, so it precedes the
 * page. No row: the shop never had the record. `position`: where it stood when it was shown; null: where it stands now. Index:
 * responses_pkey, deleted_responses_pkey.
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

/** Where the record stands now. Of one that was deleted, perhaps more than once, the time from which nothing is lost. */
function recordPositionSql({ shop, column, direction, bounds, otherFilter }: Walk, id: string): string {
  const isLast = column === "inserted_at" && direction === DESCENDING;
  const left = isLast ? "coalesce(d.last_inserted_at, d.inserted_at)" : `d.${column}`;
  const start = bounds.start ? ` AND (r.${column}, r.id) ${direction.after} ${bounds.start.row}` : "";
  return `SELECT r.${column} AS at, r.id, coalesce(true${start}${otherFilter}, false) AS is_listed
FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}
UNION ALL
SELECT ${left}, d.id, false FROM survey.deleted_responses d
WHERE d.shop_id = ${shop} AND d.id = ${id}
  AND NOT EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = d.shop_id AND r.id = d.id)`;
}
