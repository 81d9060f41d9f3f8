import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import { ASCENDING, DESCENDING, pageSql, startSql, walkSql } from "../pagination/page.query.ts";
import { Statement } from "../statement.ts";
import type { DeletionParameters } from "./deletion-parameters.ts";

/** A deletion as JSON. to_json escapes the id, which may contain any character. */
const DOC = `'{"id":' || to_json(r.id)::text || ',"deleted_at":"' || survey.timestamp_text(r.deleted_at) || '"}' AS doc`;

/**
 * A page of deletions, for `Pages.read`. Index: deleted_responses_by_time; for a cursor,
 * deleted_responses_pkey.
 */
export function listDeletionsSql(caller: Caller, { limit, cursor, range }: DeletionParameters) {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const direction = cursor?.side === "before" ? DESCENDING : ASCENDING;
  const { order, opposite: back } = direction;
  const start = startSql(statement, cursor);
  const { after, upTo } = walkSql(statement, { column: "deleted_at", range, direction, start });
  const deletions = `FROM survey.deleted_responses r WHERE r.shop_id = ${shop} AND NOT r.is_hidden`;
  return pageSql(statement, {
    caller: callerStateSql(caller, "responses:read", statement, shop),
    currentKey:
      start &&
      `(SELECT deleted_at FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${start.id})`,
    order: `at ${order}, id ${order}`,
    recordsSql: `SELECT r.deleted_at AS at, r.id, ${DOC}
${deletions}${after}
ORDER BY r.deleted_at ${order}, r.id ${order} LIMIT ${statement.bind(limit + 1)}`,
    hasBehind:
      start &&
      `SELECT ${deletions}${upTo}
ORDER BY r.deleted_at ${back}, r.id ${back} LIMIT 1`,
  });
}
