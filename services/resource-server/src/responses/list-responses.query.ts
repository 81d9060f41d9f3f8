import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import {
  ASCENDING,
  DESCENDING,
  type Direction,
  pageSql,
  startSql,
  walkSql,
} from "../pagination/page.query.ts";
import type { TimeRange } from "../pagination/page-parameters.ts";
import { Statement } from "../statement.ts";
import {
  type ListParameters,
  readsAscending,
  SORTS,
  type TimeColumn,
  type TimeRanges,
} from "./list-parameters.ts";

/**
 * One page in one statement, for `Pages.read`. Responses whose two times are equal have one index
 * for all four sorts, because a filter on one time is also one on the other; the others have an
 * index per time. Both are read in the sort's order and merged (DECISIONS.md, 'Unchanged and
 * changed responses have their own indexes'). Read `statements/first-page.sql` first, then
 * `cursor-by-id.sql`. The text depends only on the request's shape, so each connection plans each
 * shape once. Index: responses_unchanged; responses_changed_by_inserted_at or
 * responses_changed_by_updated_at; responses_pkey, deleted_responses_pkey.
 */
export function listResponsesSql(caller: Caller, parameters: ListParameters): Statement {
  const { cursor, sort, ranges } = parameters;
  const { column } = SORTS[sort];
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const limit = statement.bind(parameters.limit + 1);
  const direction = readsAscending(sort, cursor) ? ASCENDING : DESCENDING;
  const { order, opposite: back } = direction;
  const start = startSql(statement, cursor);
  const walkBy = (time: TimeColumn, range: TimeRange) =>
    walkSql(statement, { column: time, range, direction, start });
  const unchangedWalk = walkBy("inserted_at", rangeOf("both", ranges));
  const changedWalk = walkBy(column, rangeOf(column, ranges));
  const unchanged = `r.shop_id = ${shop} AND r.updated_at = r.inserted_at`;
  const byOtherTime = filterOnOtherTime(statement, column, ranges);
  const changed = `r.shop_id = ${shop} AND r.updated_at > r.inserted_at${byOtherTime}`;
  // A filter on the other time reads only the index; then the page's documents are fetched.
  const byId = `SELECT doc FROM survey.responses WHERE shop_id = ${shop} AND id = merged.id`;
  const [changedDoc, mergedDoc] = byOtherTime
    ? ["NULL", `coalesce(merged.doc, (${byId})) AS doc`]
    : ["r.doc", "doc"];

  return pageSql(statement, {
    caller: callerStateSql(caller, "responses:read", statement, shop),
    currentKey: start && currentKeySql(shop, start.id, column, direction),
    mostBytes: parameters.mostBytes,
    order: `at ${order}, id ${order}`,
    recordsSql: `SELECT at, id, ${mergedDoc} FROM (
  (SELECT r.inserted_at AS at, r.id, r.doc FROM survey.responses r
   WHERE ${unchanged}${unchangedWalk.after}
   ORDER BY r.inserted_at ${order}, r.id ${order} LIMIT ${limit})
  UNION ALL
  (SELECT r.${column}, r.id, ${changedDoc} FROM survey.responses r
   WHERE ${changed}${changedWalk.after}
   ORDER BY r.${column} ${order}, r.id ${order} LIMIT ${limit})
) merged ORDER BY at ${order}, id ${order} LIMIT ${limit}`,
    hasBehind:
      start &&
      `(SELECT FROM survey.responses r
   WHERE ${unchanged}${unchangedWalk.upTo}
   ORDER BY r.inserted_at ${back}, r.id ${back} LIMIT 1)
  UNION ALL
  (SELECT FROM survey.responses r
   WHERE ${changed}${changedWalk.upTo}
   ORDER BY r.${column} ${back}, r.id ${back} LIMIT 1)`,
  });
}

/**
 * The time by which the record is sorted now; null if the shop never had it (`is_hidden`). If it
 * was deleted repeatedly: the first `inserted_at` in reading order, or the latest `updated_at`.
 */
function currentKeySql(shop: string, id: string, column: TimeColumn, direction: Direction): string {
  const takesLatest = column === "inserted_at" && direction === DESCENDING;
  const deleted = takesLatest ? "coalesce(last_inserted_at, inserted_at)" : column;
  return `coalesce(
  (SELECT ${column} FROM survey.responses WHERE shop_id = ${shop} AND id = ${id}),
  (SELECT ${deleted} FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${id} AND NOT is_hidden))`;
}

/** Conditions on the time that the list isn't sorted by. If its range is empty, nothing is read. */
function filterOnOtherTime(statement: Statement, sorted: TimeColumn, ranges: TimeRanges): string {
  const other = sorted === "inserted_at" ? "updated_at" : "inserted_at";
  const { min, max } = ranges[other];
  const [from, to] = [min, max].map((at) => (at === null ? null : statement.bindTime(at)));
  return (
    (from ? ` AND r.${other} >= ${from}` : "") +
    (to ? ` AND r.${other} <= ${to}` : "") +
    (from && to ? ` AND ${from} <= ${to}` : "")
  );
}

/**
 * The range of a walk by `time`. updated_at is never before inserted_at, so inserted_at's minimum
 * also bounds updated_at, and updated_at's maximum inserted_at. `both`: the times are equal.
 */
function rangeOf(
  time: TimeColumn | "both",
  { inserted_at: inserted, updated_at: updated }: TimeRanges,
): TimeRange {
  return {
    min: time === "inserted_at" ? inserted.min : narrowerBound(Math.max, updated.min, inserted.min),
    max: time === "updated_at" ? updated.max : narrowerBound(Math.min, updated.max, inserted.max),
  };
}

function narrowerBound(pick: (a: number, b: number) => number, a: number | null, b: number | null) {
  return a === null ? b : b === null ? a : pick(a, b);
}
