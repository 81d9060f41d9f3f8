import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import { Statement } from "../authorization/statement.ts";
import { pageSql } from "../pages/read-page.ts";
import type { ListParameters } from "./list-parameters.ts";
import { mergedWalk } from "./merged-walk.query.ts";
import { SORTS } from "./sort.ts";
import { straightWalk } from "./straight-walk.query.ts";
import { type Position, Way } from "./way.ts";

/**
 * One page in one statement, for `readPage`. The text depends on the shape of the request alone, so each shape is planned once a connection.
 * @param remembered where the cursor's record stood when this caller was shown it, if that is known
 */
export function listResponsesSql(caller: Caller, parameters: ListParameters, remembered: Position | null): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const state = callerStateSql(caller, "responses:read", statement, shop);
  const way = new Way(statement, shop, parameters);
  const limit = statement.bind(parameters.limit + 1);
  const walk = way.isFilteredByOther ? mergedWalk(way, parameters, limit) : straightWalk(way, limit);

  const { cursor, sort } = parameters;
  const parts = [`caller AS MATERIALIZED (SELECT ${state} AS state)`, ...walk.parts];
  let head = "state || '10'";
  if (cursor) {
    const id = statement.bind(cursor.id);
    parts.unshift(`position AS MATERIALIZED (${positionSql(way, shop, id, SORTS[sort].column, remembered)})`);
    head = `state || CASE WHEN state <> 'k' THEN '00' WHEN inside THEN '11' WHEN inside IS NULL THEN '00'
      WHEN EXISTS (${walk.near}) THEN '11' ELSE '10' END`;
  }
  statement.text = `WITH RECURSIVE ${parts.join(",\n")}
    ${pageSql(head, cursor ? "caller LEFT JOIN position ON true" : "caller", walk.page)}`;
  return statement;
}

/**
 * Where the walk goes on from, at most one row. `inside`: the cursor's record stands there and passes the filters, so it is
 * itself what precedes the page. A deleted record left its place behind.
 * Index: responses_pkey, deleted_responses_pkey.
 */
function positionSql(way: Way, shop: string, id: string, column: string, remembered: Position | null): string {
  if (remembered) return `SELECT ${way.time(remembered.at)} AS at, ${id}::text AS id, false AS inside`;
  return `SELECT r.${column} AS at, r.id, ${way.inside} AS inside
      FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}
    UNION ALL SELECT ${column}, id, false FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${id}
    LIMIT 1`;
}
