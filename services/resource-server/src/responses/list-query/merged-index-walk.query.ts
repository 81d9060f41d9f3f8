import type { ListParameters, TimeRange } from "../list-parameters.ts";
import { EARLIEST } from "../timestamp.ts";
import { type Bound, impliedRange, type Way } from "./direction.ts";
import { back, forth, type Walk } from "./single-index-walk.query.ts";
import { BIN_SQL, binOf } from "./time-bins.ts";

const UNCHANGED = "r.updated_at = r.inserted_at";
const CHANGED = "r.updated_at > r.inserted_at";

/** So few bins are walked in full at once: a look ahead would cost what it spares. */
const FEW = 4;

/** So few records in the range of the other time are gathered and sorted. */
const GATHERED = 500;

/**
 * Sorted by the one time and filtered by the other: no single index bounds the work, so several are walked and merged.
 *
 * - Records that never changed have equal times: for them every bound is one on both, and one index serves.
 * - Changed ones are indexed by bins of the other time, and within a bin in the sort's order: one walk for each bin of
 *   the range. Only the bins at the ends of the range hold records outside of it, passed over in the index.
 * - A first, short look into every bin finds the place that the page can't reach beyond. The walks end there, so that
 *   all of them together read little more than a page.
 * - A bin may hold a hundred thousand records that changed at one instant, all to be passed over for a range beside it. So
 *   where the range holds few records at all, these are gathered, and the walks are left out.
 *
 * Index: responses_unchanged, responses_changed_by_inserted_at, responses_changed_by_updated_at; for few
 * responses_by_inserted_at, responses_by_updated_at; then responses_pkey.
 */
export function mergedWalk(way: Way, { ranges }: ListParameters, limit: string): Walk {
  const { column, other, hasCursor, bounds, unchangedBounds } = way;
  const from = `FROM survey.responses r WHERE r.shop_id = ${way.shop}`;
  const key = `(r.${column}, r.id)`;
  const unchangedKey = "(r.inserted_at, r.id)";
  const changedIn = `${from} AND ${CHANGED} AND ${BIN_SQL(`r.${other}`)} = bin${way.otherFilter}`;
  const start = hasCursor ? "start, " : "";
  const otherRange = forth(way, `(r.${other}, r.id)`, way.otherBounds);
  const isFew = "(SELECT yes FROM few)";

  const unchanged = `SELECT r.inserted_at AS at, r.id ${from} AND ${UNCHANGED}
    ${forth(way, unchangedKey, unchangedBounds, "(start.unchanged_at, start.unchanged_id)")}
    ${way.order("at")} LIMIT ${limit}`;
  const changed = (far: Bound | null, most: string): string => `unnest(bins.list) AS bin, LATERAL (
      SELECT r.${column} AS at, r.id ${changedIn}${forth(way, key, { ...bounds, far }, "(start.at, start.id)")}
      ${way.order("at")} LIMIT ${most}) r`;
  const parts = [
    `few AS MATERIALIZED (SELECT count(*) <= ${GATHERED} AS yes FROM (
      SELECT ${from}${otherRange} ${way.order(`r.${other}`)} LIMIT ${GATHERED} + 1) r)`,
    `gathered AS MATERIALIZED (SELECT r.${column} AS at, r.id ${from}${otherRange} AND ${isFew})`,
    `bins AS MATERIALIZED (${binsSql(way, from, impliedRange(other, ranges), limit)})`,
    `unchanged AS MATERIALIZED (SELECT r.at, r.id FROM ${start}LATERAL (${unchanged}) r WHERE NOT ${isFew})`,
    `reach AS MATERIALIZED (
      SELECT coalesce(r.at, ${bounds.far?.time ?? `'${way.falls ? "-" : ""}infinity'`}) AS at, coalesce(r.id, '') AS id
      FROM (SELECT) one LEFT JOIN (
        SELECT at, id FROM (
          TABLE unchanged UNION ALL SELECT r.at, r.id FROM ${start}bins, ${changed(bounds.far, "bins.share")}) r
        ${way.order("at")} OFFSET ${limit} - 1 LIMIT 1) r ON true)`,
  ];
  const reach: Bound = { time: "reach.at", row: "(reach.at, reach.id)" };
  const page = `SELECT (SELECT doc FROM survey.responses WHERE shop_id = ${way.shop} AND id = r.id) AS doc
    FROM (SELECT at, id FROM (
      SELECT r.at, r.id FROM ${start}gathered r WHERE true${forth(way, "(r.at, r.id)", bounds, "(start.at, start.id)")}
      UNION ALL TABLE unchanged
      UNION ALL SELECT r.at, r.id FROM ${start}bins, reach, ${changed(reach, limit)}
    ) r ${way.order("at")} LIMIT ${limit}) r`;
  if (!hasCursor) return { parts, page, near: "" };

  const [at, id] = way.start(bounds.near);
  const [unchangedAt, unchangedId] = way.start(unchangedBounds.near);
  const first = (query: string, time: string): string =>
    `LATERAL (SELECT ${query} ${way.order(`r.${time}`, !way.falls)} LIMIT 1) r`;
  return {
    parts: [
      `start AS MATERIALIZED (
        SELECT ${at} AS at, ${id} AS id, ${unchangedAt} AS unchanged_at, ${unchangedId} AS unchanged_id FROM position)`,
      ...parts,
    ],
    page,
    near: `SELECT FROM position, gathered r WHERE true${back(way, "(r.at, r.id)", bounds)}
      UNION ALL SELECT FROM position,
        ${first(`${from} AND ${UNCHANGED}${back(way, unchangedKey, unchangedBounds)} AND NOT ${isFew}`, "inserted_at")}
      UNION ALL SELECT FROM position, bins, unnest(bins.list) AS bin,
        ${first(`${changedIn}${back(way, key, bounds)}`, column)}`,
  };
}

/**
 * `list`: the bins of the range that hold changed records, by one step along the index for each; none where the records
 * are gathered. `share`: how many
 * records the first look takes from each.
 */
function binsSql(way: Way, from: string, { min, max }: TimeRange, limit: string): string {
  const bin = BIN_SQL(`r.${way.other}`);
  const above = min === null || binOf(min) < EARLIEST ? "" : ` AND ${bin} >= ${way.time(binOf(min))}`;
  const next = (bound: string): string =>
    `SELECT ${bin} AS bin ${from} AND ${CHANGED}${bound}${above} ORDER BY ${bin} DESC LIMIT 1`;
  return `WITH RECURSIVE bins AS (
      (${next(max === null ? "" : ` AND ${bin} <= ${way.time(Math.max(binOf(max), EARLIEST))}`)})
      UNION ALL SELECT r.bin FROM bins, LATERAL (${next(` AND ${bin} < bins.bin`)}) r)
    SELECT list, CASE WHEN cardinality(list) <= ${FEW} THEN 0 ELSE 2 * ${limit} / cardinality(list) + 1 END AS share
    FROM (SELECT CASE WHEN (SELECT yes FROM few) THEN '{}' ELSE array(TABLE bins) END AS list) bins`;
}
