import type { Caller } from "../../authentication/caller.ts";
import { Statement } from "../../authorization/statement.ts";
import { stateAndStampSql } from "../../pagination/entity-tag/shop-stamp.query.ts";
import type { ListParameters } from "../parameters/list-parameters.ts";
import { isKnownSql } from "./cursor-position.query.ts";

/**
 * For a request that asks what has changed since a record and its `cursor_time`: one row that says whether anything has, as
 * `Pages.readEmpty` takes it. Most such requests find nothing, and this takes Postgres half as long as the page's statement. Filters are left
 * out: where nothing follows, nothing does that passes them. Null for any other request.
 *
 * Index: responses_pkey, deleted_responses_pkey, responses_by_updated_at.
 */
export function whatIsNewSql(caller: Caller, { sort, cursor }: ListParameters): Statement | null {
  if (sort !== "updated_at_asc" || cursor?.direction !== "forward" || cursor.time === undefined) return null;
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const stateAndStamp = stateAndStampSql(caller, statement, shop);
  const [at, id] = [statement.bind(new Date(cursor.time).toISOString()), statement.bind(cursor.id)];
  statement.text = `${stateAndStamp}, (${isKnownSql(shop, id)}) AS "cursorKnown", NOT EXISTS (
SELECT FROM survey.responses r WHERE r.shop_id = ${shop} AND (r.updated_at, r.id) > (${at}::timestamptz, ${id})
ORDER BY r.updated_at, r.id LIMIT 1) AS "isEmpty"`;
  return statement;
}
