import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import { Statement } from "../authorization/statement.ts";
import type { PageParameters } from "../pagination/page-parameters.ts";
import { pageSql } from "../pagination/page-reader.ts";

/** A page of questions by id. Index: questions_pkey. */
export function listQuestionsSql(caller: Caller, { limit, cursor }: PageParameters): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const state = callerStateSql(caller, "responses:read", statement, shop);
  const count = statement.bind(limit + 1);
  const of = `FROM survey.questions WHERE shop_id = ${shop}`;
  let near = "'10'";
  let page = `SELECT doc ${of} ORDER BY id LIMIT ${count}`;
  if (cursor) {
    const id = `${statement.bind(cursor.id)}::bigint`;
    const [beyond, back, way] = cursor.direction === "after" ? [">", "<=", "ASC"] : ["<", ">=", "DESC"];
    const known = `EXISTS (SELECT ${of} AND id = ${id})`;
    near = `${known}::int::text || EXISTS (SELECT ${of} AND id ${back} ${id})::int::text`;
    page = `SELECT doc ${of} AND id ${beyond} ${id} ORDER BY id ${way} LIMIT ${count}`;
  }
  statement.text = `WITH caller AS MATERIALIZED (SELECT ${state} AS state)
    ${pageSql(`state || ${near}`, "caller", page)}`;
  return statement;
}
