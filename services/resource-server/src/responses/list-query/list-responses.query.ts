import type { Caller } from "../../authentication/caller.ts";
import { callerStateSql } from "../../authorization/caller-state.query.ts";
import { Statement } from "../../authorization/statement.ts";
import { pageSql } from "../../pagination/page-reader.ts";
import type { ListParameters } from "../list-parameters.ts";
import { type Position, Way } from "./direction.ts";
import { mergedWalk } from "./merged-index-walk.query.ts";
import { straightWalk } from "./single-index-walk.query.ts";

/**
 * One page in one statement, for `readPage`. The text depends on the shape of the request alone, so each shape is planned once a connection.
 * @param place where the cursor's record stood when this caller was shown it; null where that is not known, or never changes
 */
export function listResponsesSql(caller: Caller, parameters: ListParameters, place: Position | null): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const state = callerStateSql(caller, "responses:read", statement, shop);
  const way = new Way(statement, shop, parameters);
  const limit = statement.bind(parameters.limit + 1);
  const walk = way.isFilteredByOther ? mergedWalk(way, parameters, limit) : straightWalk(way, limit);

  const { cursor } = parameters;
  const parts = [`caller AS MATERIALIZED (SELECT ${state} AS state)`, ...walk.parts];
  let head = "state || '10'";
  if (cursor) {
    const id = statement.bind(cursor.id);
    const position = place ? placeSql(way, shop, id, place) : positionSql(way, shop, id);
    parts.unshift(`position AS MATERIALIZED (${position})`);
    head = `state || CASE WHEN state <> 'k' THEN '00' WHEN inside THEN '11' WHEN inside IS NULL THEN '00'
      WHEN EXISTS (${walk.near}) THEN '11' ELSE '10' END`;
  }
  statement.text = `WITH RECURSIVE ${parts.join(",\n")}
    ${pageSql(head, cursor ? "caller LEFT JOIN position ON true" : "caller", walk.page)}`;
  return statement;
}

/** A known place, of a record that this shop has or had. Index: responses_pkey, deleted_responses_pkey. */
function placeSql(way: Way, shop: string, id: string, { at }: Position): string {
  const known = (table: string): string =>
    `EXISTS (SELECT FROM survey.${table} WHERE shop_id = ${shop} AND id = ${id})`;
  return `SELECT ${way.time(at)} AS at, ${id}::text AS id, false AS inside
      WHERE ${known("responses")} OR ${known("deleted_responses")}`;
}

/**
 * Where nothing can be lost, whenever the caller was shown the record; at most one row. Up by `updated_at` that is its
 * `inserted_at`, as it never stood before; down it is where it stands now, as it never stood later. A deleted record left
 * both behind; of one that came again, the two rows together say it. `inside`: the cursor's record stands there and passes
 * the filters, so it is itself what precedes the page.
 * Index: responses_pkey, deleted_responses_pkey.
 */
function positionSql(way: Way, shop: string, id: string): string {
  const at = way.falls ? way.column : "inserted_at";
  return `SELECT r.${at} AS at, r.id, (${way.inside} AND r.${at} = r.${way.column}) AS inside
      FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}
    UNION ALL SELECT ${at}, id, false FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${id}
    ORDER BY at ${way.falls ? "DESC" : "ASC"}, inside DESC LIMIT 1`;
}
