import { between, boundsOf, opposite, orderBy, startColumns } from "../../pagination/bounds.ts";
import { binSql, binsCte } from "./bins.query.ts";
import { impliedRange, unchangedRange, type Walk, type WalkSql } from "./walk.ts";

const UNCHANGED = "r.updated_at = r.inserted_at";
const CHANGED = "r.updated_at > r.inserted_at";

/** If the filter's range has at most this number of records, all of them are read and sorted. That takes 2 ms; to pass over a bulk change may take ten times that. */
const SMALL_RANGE = 1500;

/**
 * A page sorted by one time and filtered by the other, such as `sort=inserted_at_desc&updated_at_min=…`. No index has both, so several,
 * each in the sort's order, are walked and merged; then the page's records are fetched by their keys. DECISIONS.md, 'Sort by one time,
 * filter by the other'.
 * - `unchanged`: records whose times are equal: every filter is one on the sort's time, so one partial index serves.
 * - `bins`: changed records, by 28 days of the other time. Only the first and the last bin hold records outside of the range.
 * - `page_end`: a probe of the bins inside the range bounds all walks: the page ends at the key that is the limit's in their merge.
 * - `small_range`: where the range holds few records (`range_size`), they are read by the filter's index and sorted, and no walk is made.
 * Index: responses_unchanged; responses_changed_by_inserted_at or responses_changed_by_updated_at; responses_by_inserted_at or
 * responses_by_updated_at; responses_pkey.
 */
export function mergedIndexWalk(walk: Walk): WalkSql {
  const { shop, limit, column, other, direction, hasCursor, bounds, ranges, bindTime } = walk;
  const from = `FROM survey.responses r WHERE r.shop_id = ${shop}`;
  const key = `(r.${column}, r.id)`;
  const unchangedKey = "(r.inserted_at, r.id)";
  const unchangedBounds = boundsOf(unchangedRange(ranges), direction, bindTime);
  const inBin = `${from} AND ${CHANGED}
  AND ${binSql(`r.${other}`)} = bin${walk.otherFilter}`;
  const isSmall = "(SELECT is_small FROM range_size)";

  const startTable = hasCursor ? "start, " : "";
  const start = hasCursor ? "(start.at, start.id)" : bounds.start?.row;
  const unchangedStart = hasCursor ? "(start.unchanged_at, start.unchanged_id)" : unchangedBounds.start?.row;
  const changed = (bins: string, end: string | undefined, most: string): string => `unnest(${bins}) AS bin, LATERAL (
  SELECT r.${column} AS at, r.id ${inBin}${between(direction, key, start, end)}
  ${orderBy(direction, "at")} LIMIT ${most}) r`;

  const ctes = [
    ...smallRange(walk, from),
    binsCte(walk, CHANGED),
    `unchanged AS MATERIALIZED (
  SELECT r.at, r.id FROM ${startTable}LATERAL (
    SELECT r.inserted_at AS at, r.id ${from} AND ${UNCHANGED}${between(direction, unchangedKey, unchangedStart, unchangedBounds.end?.row)}
    ${orderBy(direction, "at")} LIMIT ${limit}) r
  WHERE NOT ${isSmall})`,
    `page_end AS MATERIALIZED (
  SELECT coalesce(r.at, ${bounds.end?.time ?? `'${direction.infinity}'`}) AS at, coalesce(r.id, '') AS id
  FROM (SELECT) one LEFT JOIN (
    SELECT at, id FROM (
      TABLE unchanged
      UNION ALL
      SELECT r.at, r.id FROM ${startTable}bins, ${changed("bins.inside", bounds.end?.row, "bins.probe_limit")}) r
    ${orderBy(direction, "at")} OFFSET ${limit} - 1 LIMIT 1) r ON true)`,
  ];
  const records = `SELECT (SELECT doc FROM survey.responses WHERE shop_id = ${shop} AND id = r.id) AS doc
FROM (
  SELECT at, id FROM (
    SELECT r.at, r.id FROM ${startTable}small_range r WHERE true${between(direction, "(r.at, r.id)", start, bounds.end?.row)}
    UNION ALL
    TABLE unchanged
    UNION ALL
    SELECT r.at, r.id FROM ${startTable}bins, page_end, ${changed("bins.list", "(page_end.at, page_end.id)", limit)}) r
  ${orderBy(direction, "at")} LIMIT ${limit}) r`;
  if (!hasCursor) return { ctes, records, previous: "" };

  const [at, id] = startColumns(direction, bounds.start);
  const [unchangedAt, unchangedId] = startColumns(direction, unchangedBounds.start);
  const position = "(position.at, position.id)";
  const backward = opposite(direction);
  return {
    ctes: [
      `start AS MATERIALIZED (
  SELECT ${at} AS at,
    ${id} AS id,
    ${unchangedAt} AS unchanged_at,
    ${unchangedId} AS unchanged_id
  FROM position)`,
      ...ctes,
    ],
    records,
    previous: `SELECT FROM position, small_range r WHERE true${between(direction, "(r.at, r.id)", bounds.start?.row, position)}
UNION ALL
SELECT FROM position, LATERAL (
  SELECT ${from} AND ${UNCHANGED}${between(direction, unchangedKey, unchangedBounds.start?.row, position)}
  AND NOT ${isSmall}
  ${orderBy(backward, "r.inserted_at")} LIMIT 1) r
UNION ALL
SELECT FROM position, bins, unnest(bins.list) AS bin, LATERAL (
  SELECT ${inBin}${between(direction, key, bounds.start?.row, position)}
  ${orderBy(backward, `r.${column}`)} LIMIT 1) r`,
  };
}

/** `range_size` and `small_range`, by the index of the other time. */
function smallRange({ column, other, direction, ranges, bindTime }: Walk, from: string): string[] {
  const { start, end } = boundsOf(impliedRange(other, ranges), direction, bindTime);
  const inRange = between(direction, `(r.${other}, r.id)`, start?.row, end?.row);
  return [
    `range_size AS MATERIALIZED (
  SELECT count(*) <= ${SMALL_RANGE} AS is_small FROM (
    SELECT ${from}${inRange}
    ${orderBy(direction, `r.${other}`)} LIMIT ${SMALL_RANGE} + 1) r)`,
    `small_range AS MATERIALIZED (
  SELECT r.${column} AS at, r.id ${from}${inRange}
  AND (SELECT is_small FROM range_size))`,
  ];
}
