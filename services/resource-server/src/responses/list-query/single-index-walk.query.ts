import { between, opposite, orderBy, startColumns } from "../../pagination/bounds.ts";
import type { Walk, WalkSql } from "./walk.ts";

/**
 * A page whose filters, if any, are on the time that the sort goes by: one index has both, so Postgres reads as many entries as the page
 * has records. Index: responses_by_inserted_at, responses_by_updated_at.
 */
export function singleIndexWalk({ shop, limit, column, direction, hasCursor, bounds }: Walk): WalkSql {
  const key = `(r.${column}, r.id)`;
  const start = hasCursor ? "(start.at, start.id)" : bounds.start?.row;
  const records = `SELECT r.doc FROM survey.responses r
WHERE r.shop_id = ${shop}${between(direction, key, start, bounds.end?.row)}
${orderBy(direction, `r.${column}`)} LIMIT ${limit}`;
  if (!hasCursor) return { ctes: [], records, previous: "" };
  const [at, id] = startColumns(direction, bounds.start);
  return {
    ctes: [`start AS MATERIALIZED (\n  SELECT ${at} AS at,\n    ${id} AS id\n  FROM position)`],
    records: `SELECT r.doc FROM start, LATERAL (\n${records}) r`,
    previous: `SELECT FROM position, LATERAL (
  SELECT FROM survey.responses r
  WHERE r.shop_id = ${shop}${between(direction, key, bounds.start?.row, "(position.at, position.id)")}
  ${orderBy(opposite(direction), `r.${column}`)} LIMIT 1) r`,
  };
}
