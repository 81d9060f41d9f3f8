import type { Caller } from "../authentication/caller.ts";
import { callerTable, Statement } from "../authorization/caller-state.query.ts";
import {
  ASCENDING,
  between,
  boundsOf,
  DESCENDING,
  opposite,
  orderBy,
  positionOr,
} from "../pagination/bounds.ts";
import { type PageQuery, pageSql } from "../pagination/page.ts";
import type { DeletionParameters } from "./deletion-parameters.ts";

/** A deletion as JSON. to_json escapes the id, which may contain any character. */
const DOC = `'{"id":' || to_json(r.id)::text || ',"deleted_at":"' || survey.timestamp_text(r.deleted_at) || '"}' AS doc`;
const KEY = "(r.deleted_at, r.id)";

/**
 * A page of deletions, for `Pages.read`. Index: deleted_responses_by_time; of a cursor
 * deleted_responses_pkey.
 */
export function listDeletionsSql(
  caller: Caller,
  { limit, cursor, range }: DeletionParameters,
): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const allowed = callerTable(caller, statement, shop);
  const bindTime = (at: number): string =>
    `${statement.bind(new Date(at).toISOString())}::timestamptz`;
  const direction = cursor?.direction === "backward" ? DESCENDING : ASCENDING;
  const bounds = boundsOf(range, direction, bindTime);
  const of = `FROM survey.deleted_responses r WHERE r.shop_id = ${shop} AND NOT r.is_hidden`;
  const start = cursor ? positionOr(direction, bounds.start) : bounds.start?.row;
  const records = `SELECT ${DOC} ${of}${between(direction, KEY, start, bounds.end?.row)}
${orderBy(direction, "r.deleted_at")} LIMIT ${statement.bind(limit + 1)}`;

  const tables = [allowed];
  let page: PageQuery = { from: "caller", cursorKnown: "false", hasPrevious: "false", records };
  if (cursor) {
    const time = cursor.time === undefined ? "deleted_at" : bindTime(cursor.time);
    tables.push(`position AS MATERIALIZED (
SELECT ${time} AS at, id FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${statement.bind(cursor.id)})`);
    page = {
      from: "caller LEFT JOIN position ON true",
      cursorKnown: "state = 'allowed' AND position.id IS NOT NULL",
      hasPrevious: `state = 'allowed' AND EXISTS (
SELECT ${of}${between(direction, KEY, bounds.start?.row, "(SELECT at, id FROM position)")}
${orderBy(opposite(direction), "r.deleted_at")} LIMIT 1)`,
      records,
    };
  }
  statement.text = `WITH ${tables.join(",\n")}\n${pageSql(page)}`;
  return statement;
}
