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
import type { Position, TimeRange } from "../pagination/time-parameters.ts";
import { isAscending, type ListParameters, SORTS, type TimeRanges } from "./list-parameters.ts";

/**
 * One page in one statement, for `Pages.read`. A response that never changed has equal times, so
 * every filter bounds the sort's time, and one partial index serves all four sorts; changed
 * responses have an index for each sort, which also holds the other time. Both are read in the
 * sort's order and merged (DECISIONS.md, 'Unchanged and changed responses have their own indexes').
 * The text depends only on the shape of the request, so each connection plans each shape once.
 * `position` is the cursor's position when its record was shown; null means the record's current
 * position. Index: responses_unchanged; responses_changed_by_inserted_at or
 * responses_changed_by_updated_at; responses_pkey, deleted_responses_pkey.
 */
export function listResponsesSql(
  caller: Caller,
  parameters: ListParameters,
  position: Position | null,
): Statement {
  const { cursor, sort, ranges, mostBytes } = parameters;
  const { column } = SORTS[sort];
  const other = column === "inserted_at" ? "updated_at" : "inserted_at";
  const direction = isAscending(sort, cursor) ? ASCENDING : DESCENDING;
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const allowed = callerTable(caller, statement, shop);
  const limit = statement.bind(parameters.limit + 1);
  const bindTime = (at: number): string =>
    `${statement.bind(new Date(at).toISOString())}::timestamptz`;

  const { min, max } = ranges[other];
  const from = min === null ? null : bindTime(min);
  const to = max === null ? null : bindTime(max);
  const otherFilter =
    (from ? ` AND r.${other} >= ${from}` : "") +
    (to ? ` AND r.${other} <= ${to}` : "") +
    (from && to ? ` AND ${from} <= ${to}` : ""); // an empty range reads nothing
  const branches = [
    {
      time: "inserted_at",
      where: `r.shop_id = ${shop} AND r.updated_at = r.inserted_at`,
      bounds: boundsOf(unchangedRange(ranges), direction, bindTime),
      isFiltered: false,
    },
    {
      time: column,
      where: `r.shop_id = ${shop} AND r.updated_at > r.inserted_at${otherFilter}`,
      bounds: boundsOf(impliedRange(column, ranges), direction, bindTime),
      isFiltered: otherFilter !== "",
    },
  ].map((branch) => ({ ...branch, key: `(r.${branch.time}, r.id)` }));

  const records = branches.map(({ time, where, key, bounds, isFiltered }) => {
    const start = cursor ? positionOr(direction, bounds.start) : bounds.start?.row;
    const walk = (
      columns: string,
    ): string => `(SELECT r.${time} AS at, r.id${columns} FROM survey.responses r
WHERE ${where}${between(direction, key, start, bounds.end?.row)}
${orderBy(direction, `r.${time}`)} LIMIT ${limit})`;
    if (!isFiltered) return walk(", r.doc");
    // The filter reads only the index; documents are fetched for the page's records.
    return `SELECT r.at, r.id, (SELECT doc FROM survey.responses WHERE shop_id = ${shop} AND id = r.id) FROM ${walk("")} r`;
  });
  let page: PageQuery = {
    from: "caller",
    cursorKnown: "false",
    hasPrevious: "false",
    records: `SELECT doc FROM (\n${records.join("\nUNION ALL\n")}) r\n${orderBy(direction, "at")} LIMIT ${limit}`,
  };
  const tables = [allowed];
  if (cursor) {
    const id = statement.bind(cursor.id);
    const readsDown = column === "inserted_at" && direction === DESCENDING;
    const deletedAt = readsDown ? "coalesce(d.last_inserted_at, d.inserted_at)" : `d.${column}`;
    const at = position && bindTime(position.at);
    // At most one row; none if the shop never had the record. A record that was deleted at several
    // positions keeps the first and the last: take the one that skips nothing.
    tables.unshift(`position AS MATERIALIZED (
SELECT ${at ?? `r.${column}`} AS at, r.id FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}
UNION ALL
SELECT ${at ?? deletedAt}, d.id FROM survey.deleted_responses d WHERE d.shop_id = ${shop} AND d.id = ${id} AND NOT d.is_hidden
AND NOT EXISTS (SELECT FROM survey.responses r WHERE r.shop_id = ${shop} AND r.id = ${id}))`);
    const previous = branches.map(
      ({ time, where, key, bounds }) => `(SELECT FROM survey.responses r
WHERE ${where}${between(direction, key, bounds.start?.row, positionOr(opposite(direction), bounds.end))}
${orderBy(opposite(direction), `r.${time}`)} LIMIT 1)`,
    );
    page = {
      ...page,
      from: "caller LEFT JOIN position ON true",
      cursorKnown: "state = 'allowed' AND position.id IS NOT NULL",
      hasPrevious: `state = 'allowed' AND EXISTS (\n${previous.join("\nUNION ALL\n")})`,
    };
  }
  const bytes = mostBytes === undefined ? undefined : statement.bind(mostBytes);
  statement.text = `WITH ${tables.join(",\n")}\n${pageSql({ ...page, mostBytes: bytes })}`;
  return statement;
}

/** updated_at is never before inserted_at, so a filter on one also bounds the other. */
function impliedRange(
  column: keyof TimeRanges,
  { inserted_at: inserted, updated_at: updated }: TimeRanges,
): TimeRange {
  return column === "updated_at"
    ? { min: tighter(Math.max, updated.min, inserted.min), max: updated.max }
    : { min: inserted.min, max: tighter(Math.min, inserted.max, updated.max) };
}

/** Both times are equal, so each filter applies to both. */
function unchangedRange({ inserted_at: inserted, updated_at: updated }: TimeRanges): TimeRange {
  return {
    min: tighter(Math.max, updated.min, inserted.min),
    max: tighter(Math.min, updated.max, inserted.max),
  };
}

function tighter(
  pick: (a: number, b: number) => number,
  a: number | null,
  b: number | null,
): number | null {
  return a === null ? b : b === null ? a : pick(a, b);
}
