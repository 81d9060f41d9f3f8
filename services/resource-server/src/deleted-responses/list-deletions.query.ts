import type { Caller } from "../authentication/caller.ts";
import { callerTable, Statement } from "../authorization/caller-state.query.ts";
import { ASCENDING, DESCENDING, walkBefore, walkFrom, within } from "../pagination/bounds.ts";
import type { Cursor } from "../pagination/limit-and-cursor.ts";
import { pageSql, positionSql } from "../pagination/page.ts";
import type { Position } from "../pagination/time-parameters.ts";
import type { DeletionParameters } from "./deletion-parameters.ts";

/** A deletion as JSON. to_json escapes the id, which may contain any character. */
const DOC = `'{"id":' || to_json(r.id)::text || ',"deleted_at":"' || survey.timestamp_text(r.deleted_at) || '"}' AS doc`;

/**
 * A page of deletions, for `Pages.read`. `position` is the cursor's. Index:
 * deleted_responses_by_time; of a cursor deleted_responses_pkey.
 */
export function listDeletionsSql(
  caller: Caller,
  { limit, cursor, range }: DeletionParameters,
  position: Position | null,
): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const direction = cursor?.direction === "backward" ? DESCENDING : ASCENDING;
  const { order, opposite: back } = direction;
  const deletions = `FROM survey.deleted_responses r WHERE r.shop_id = ${shop} AND NOT r.is_hidden`;
  return pageSql(statement, {
    caller: callerTable(caller, statement, shop),
    cursorRecord: cursor && currentTime(statement, shop, cursor),
    order: `at ${order}, id ${order}`,
    records: `SELECT r.deleted_at AS at, r.id, ${DOC}
${deletions}${within(statement, "deleted_at", walkFrom(range, direction, position))}
ORDER BY r.deleted_at ${order}, r.id ${order} LIMIT ${statement.bind(limit + 1)}`,
    hasPrevious:
      position &&
      `SELECT ${deletions}${within(statement, "deleted_at", walkBefore(range, direction, position))}
ORDER BY r.deleted_at ${back}, r.id ${back} LIMIT 1`,
  });
}

/** The current position of the cursor's deletion, for `Pages.position`. */
export function deletionPositionSql(caller: Caller, cursor: Cursor): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const time = currentTime(statement, shop, cursor);
  return positionSql(statement, callerTable(caller, statement, shop), time);
}

function currentTime(statement: Statement, shop: string, { id }: Cursor): string {
  return `(SELECT deleted_at FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${statement.bind(id)})`;
}
