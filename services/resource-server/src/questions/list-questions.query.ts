import type { Caller } from "../authentication/caller.ts";
import { callerTable, Statement } from "../authorization/caller-state.query.ts";
import type { PageParameters } from "../pagination/limit-and-cursor.ts";
import { type PageQuery, pageSql } from "../pagination/page.ts";

/** A page of questions by id. Index: questions_pkey. */
export function listQuestionsSql(
  caller: Caller,
  { limit, cursor, mostBytes }: PageParameters,
): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const allowed = callerTable(caller, statement, shop);
  const count = statement.bind(limit + 1);
  const of = `FROM survey.questions WHERE shop_id = ${shop}`;
  let page: PageQuery = {
    from: "caller",
    cursorKnown: "false",
    hasPrevious: "false",
    records: `SELECT doc ${of} ORDER BY id LIMIT ${count}`,
  };
  if (cursor) {
    const id = `${statement.bind(cursor.id)}::bigint`;
    const [after, upTo, order] =
      cursor.direction === "forward" ? [">", "<=", "ASC"] : ["<", ">=", "DESC"];
    page = {
      from: "caller",
      cursorKnown: `EXISTS (SELECT ${of} AND id = ${id})`,
      hasPrevious: `EXISTS (SELECT ${of} AND id ${upTo} ${id})`,
      records: `SELECT doc ${of} AND id ${after} ${id} ORDER BY id ${order} LIMIT ${count}`,
    };
  }
  const bytes = mostBytes === undefined ? undefined : statement.bind(mostBytes);
  statement.text = `WITH ${allowed}\n${pageSql({ ...page, mostBytes: bytes })}`;
  return statement;
}
