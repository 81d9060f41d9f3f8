import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import { Statement } from "../authorization/statement.ts";
import type { ListParameters, TimeRange } from "./list-parameters.ts";
import { SORTS, type TimeColumn } from "./sort.ts";

/** A place in the order: the sort's time in milliseconds, and the id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/**
 * The whole request in one statement of one column of text: first a row of three letters (the caller's state; whether
 * the cursor is known; whether a row lies on the near side of the page), then the records, one more than the
 * limit where there are more. Records come in the order of the scan, which is backwards with `ending_before`.
 *
 * The text depends on the shape of the request alone, so each shape is prepared once a connection. Each time
 * bound is part of one exclusive row comparison on the index of the sort: `(at, id) > (min, '')` is `at >= min`,
 * as no id is empty, and `(at, id) < (max + 1 ms, '')` is `at <= max`, as times are whole milliseconds.
 */
export function listResponsesSql(caller: Caller, parameters: ListParameters, remembered: Position | null): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const state = callerStateSql(caller, "responses:read", statement, shop);
  const { column, descending } = SORTS[parameters.sort];
  const { cursor } = parameters;
  const backwards = cursor?.direction === "before";
  const falling = descending !== backwards;
  const other: TimeColumn = column === "inserted_at" ? "updated_at" : "inserted_at";
  const range = impliedRange(column, parameters.ranges);

  const time = (at: number): string => `${statement.bind(new Date(at).toISOString())}::timestamptz`;
  const lowerTime = range.min === null ? null : time(range.min);
  const upperTime = range.max === null ? null : time(range.max + 1);
  const lower = lowerTime && `(${lowerTime}, '')`;
  const upper = upperTime && `(${upperTime}, '')`;
  const others = otherConditions(other, parameters.ranges[other], time);

  const key = `(r.${column}, r.id)`;
  const records = (conditions: readonly (string | null)[], down: boolean, columns: string, limit: string): string => {
    const where = [`r.shop_id = ${shop}`, ...conditions.filter((condition) => condition !== null), ...others];
    const way = down ? "DESC" : "ASC";
    return `SELECT ${columns} FROM survey.responses r WHERE ${where.join(" AND ")}
      ORDER BY r.${column} ${way}, r.id ${way} LIMIT ${limit}`;
  };
  const limit = statement.bind(parameters.limit + 1);

  if (!cursor) {
    const page = records([lower && `${key} > ${lower}`, upper && `${key} < ${upper}`], falling, "r.doc", limit);
    statement.text = `WITH caller AS MATERIALIZED (SELECT ${state} AS state)
      SELECT state || '10' AS doc FROM caller
      UNION ALL SELECT doc FROM (${page}) page WHERE (SELECT state FROM caller) = 'k'`;
    return statement;
  }

  const id = statement.bind(cursor.id);
  const position = remembered
    ? `SELECT ${time(remembered.at)} AS at, ${id} AS id`
    : `SELECT ${column} AS at, id FROM survey.responses WHERE shop_id = ${shop} AND id = ${id}`;
  const near = falling ? upper : lower;
  const nearTime = falling ? upperTime : lowerTime;
  const inside = falling ? "<" : ">";
  const start = near
    ? `SELECT CASE WHEN (at, id) ${inside} ${near} THEN at ELSE ${nearTime} END AS at,
        CASE WHEN (at, id) ${inside} ${near} THEN id ELSE '' END AS id FROM position`
    : "SELECT at, id FROM position";
  const far = falling ? lower && `${key} > ${lower}` : upper && `${key} < ${upper}`;
  const page = records([`${key} ${inside} (start.at, start.id)`, far], falling, "r.doc", limit);
  const before = records(
    [`${key} ${falling ? ">=" : "<="} (position.at, position.id)`, near && `${key} ${inside} ${near}`],
    !falling,
    "1",
    "1",
  );
  statement.text = `WITH caller AS MATERIALIZED (SELECT ${state} AS state),
    position AS MATERIALIZED (${position}), start AS MATERIALIZED (${start})
    SELECT state || CASE WHEN EXISTS (SELECT FROM position) THEN '1' ELSE '0' END
      || CASE WHEN EXISTS (SELECT FROM position, LATERAL (${before}) r) THEN '1' ELSE '0' END AS doc FROM caller
    UNION ALL SELECT r.doc FROM start, LATERAL (${page}) r WHERE (SELECT state FROM caller) = 'k'`;
  return statement;
}

/** updated_at is never before inserted_at, so a bound on the one can be a bound on the other as well. */
function impliedRange(column: TimeColumn, ranges: ListParameters["ranges"]): TimeRange {
  const { inserted_at: inserted, updated_at: updated } = ranges;
  return column === "updated_at"
    ? { min: tighter(Math.max, updated.min, inserted.min), max: updated.max }
    : { min: inserted.min, max: tighter(Math.min, inserted.max, updated.max) };
}

function tighter(pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : pick(a, b);
}

function otherConditions(column: TimeColumn, range: TimeRange, time: (at: number) => string): string[] {
  return [
    ...(range.min === null ? [] : [`r.${column} >= ${time(range.min)}`]),
    ...(range.max === null ? [] : [`r.${column} <= ${time(range.max)}`]),
  ];
}
