import type { Caller } from "../../authentication/caller.ts";
import { callerTable } from "../../authorization/caller-state.query.ts";
import { Statement } from "../../authorization/statement.ts";
import { type PageQuery, pageSql } from "../../pagination/page-reader.ts";
import type { Position } from "../../pagination/time-parameters.ts";
import type { ListParameters } from "../parameters/list-parameters.ts";
import { cursorPositionSql } from "./cursor-position.query.ts";
import { mergedIndexWalk } from "./merged-index-walk.query.ts";
import { singleIndexWalk } from "./single-index-walk.query.ts";
import { walkOf } from "./walk.ts";

/**
 * One page in one statement, for `readPage`: the position of a cursor, the caller's state, what the walk needs, then its records.
 * `rendered/` has one of each kind, to be pasted into psql. The text depends on the shape of the request alone, so each connection plans
 * each shape once. `position`: where the cursor's record stood when it was shown; null: where it stands now.
 */
export function listResponsesSql(caller: Caller, parameters: ListParameters, position: Position | null): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const allowed = callerTable(caller, statement, shop);
  const walk = walkOf(statement, shop, parameters);
  const { ctes, records, previous } = walk.otherFilter === "" ? singleIndexWalk(walk) : mergedIndexWalk(walk);

  const tables = [allowed, ...ctes];
  let page: PageQuery = { from: "caller", cursorKnown: "false", hasPrevious: "false", records };
  if (parameters.cursor) {
    const id = statement.bind(parameters.cursor.id);
    tables.unshift(`position AS MATERIALIZED (\n${cursorPositionSql(walk, id, position)})`);
    page = {
      from: "caller LEFT JOIN position ON true",
      cursorKnown: "state = 'allowed' AND is_listed IS NOT NULL",
      hasPrevious: `CASE
  WHEN state <> 'allowed' OR is_listed IS NULL THEN false
  WHEN is_listed THEN true
  ELSE EXISTS (\n${previous}) END`,
      records,
    };
  }
  const { mostBytes } = parameters;
  const bytes = mostBytes === undefined ? undefined : statement.bind(mostBytes);
  statement.text = `WITH RECURSIVE\n${tables.join(",\n")}\n${pageSql({ ...page, mostBytes: bytes })}`;
  return statement;
}
