import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import { ASCENDING, DESCENDING, pageSql } from "../pagination/page.query.ts";
import type { PageParameters } from "../pagination/page-parameters.ts";
import { Statement } from "../statement.ts";

/** A page by id. A deleted id still is a position if a later one exists. Index: questions_pkey. */
export function listQuestionsSql(caller: Caller, { limit, cursor, mostBytes }: PageParameters) {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const questions = `FROM survey.questions WHERE shop_id = ${shop}`;
  const id = cursor && `${statement.bind(cursor.id)}::bigint`;
  const { beyond, upTo, order } = cursor?.side === "before" ? DESCENDING : ASCENDING;
  return pageSql(statement, {
    caller: callerStateSql(caller, "responses:read", statement, shop),
    currentKey: id && `(SELECT id ${questions} AND id >= ${id} ORDER BY id LIMIT 1)`,
    hasBehind: id && `SELECT ${questions} AND id ${upTo} ${id}`,
    order: `id ${order}`,
    recordsSql: `SELECT id, doc ${questions}${id ? ` AND id ${beyond} ${id}` : ""}
ORDER BY id ${order} LIMIT ${statement.bind(limit + 1)}`,
    mostBytes,
  });
}
