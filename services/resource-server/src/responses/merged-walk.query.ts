import type { ListParameters } from "./list-parameters.ts";
import { back, conditions, type Walk } from "./straight-walk.query.ts";
import { BIN_SQL, binCount, binOf } from "./time-bins.ts";
import { impliedRange, type Way } from "./way.ts";

const UNCHANGED = "r.updated_at = r.inserted_at";
const CHANGED = "r.updated_at > r.inserted_at";

/**
 * Sorted by the one time and filtered by the other: neither index alone bounds the work, so several are walked side by
 * side and merged lazily (Merge Append). It reads about one entry for each of them, and one for each record.
 *
 * - Records that never changed have equal times: for them every bound is one on both.
 * - Changed ones are indexed by bins of the other time, and within a bin in the sort's order. Only the bins at the
 *   ends of the range hold records outside of it, which are passed over in the index.
 * - Bins beyond what the statement is written for are walked together, by the sort's index.
 *
 * Index: responses_unchanged, responses_changed_by_inserted_at, responses_changed_by_updated_at.
 */
export function mergedWalk(way: Way, { ranges }: ListParameters, limit: string, now: number): Walk {
  const { column, other } = way;
  const range = impliedRange(other, ranges);
  const count = binCount(range, now);
  const from = `FROM survey.responses r WHERE r.shop_id = ${way.shop}`;
  const key = `(r.${column}, r.id)`;
  const unchangedKey = "(r.inserted_at, r.id)";
  const bin = BIN_SQL(`r.${other}`);
  const isRest = `bins.list[${count + 1}] IS NOT NULL AND ${bin} <= bins.list[${count + 1}]`;

  const start = way.hasCursor ? "(start.at, start.id)" : null;
  const unchangedStart = way.hasCursor ? "(start.unchanged_at, start.unchanged_id)" : null;
  const changed = `${from} AND ${CHANGED}${conditions(way, key, way.bounds, start)}${way.otherFilter}`;
  const branch = (at: string, query: string): string =>
    `(SELECT r.${at} AS at, r.id ${query} ${way.order("at")} LIMIT ${limit})`;
  const branches = [
    branch(
      "inserted_at",
      `${from} AND ${UNCHANGED}${conditions(way, unchangedKey, way.unchangedBounds, unchangedStart)}`,
    ),
    ...Array.from({ length: count }, (_, i) => branch(column, `${changed} AND ${bin} = bins.list[${i + 1}]`)),
    branch(column, `${changed} AND ${isRest}`),
  ];
  const sources = way.hasCursor ? "start, bins" : "bins";
  const page = `SELECT (SELECT doc FROM survey.responses WHERE shop_id = ${way.shop} AND id = merged.id) AS doc
    FROM ${sources}, LATERAL (
      SELECT r.at, r.id FROM (${branches.join("\nUNION ALL ")}) r ${way.order("r.at")} LIMIT ${limit}) merged`;

  const bins = binsSql(from, bin, count, {
    min: range.min === null ? null : way.time(binOf(range.min)),
    max: range.max === null ? null : way.time(binOf(range.max)),
  });
  if (!way.hasCursor) return { parts: bins, page, near: "" };

  const [at, id] = way.start(way.bounds.near);
  const [unchangedAt, unchangedId] = way.start(way.unchangedBounds.near);
  const columns = `${at} AS at, ${id} AS id, ${unchangedAt} AS unchanged_at, ${unchangedId} AS unchanged_id`;
  const first = (query: string, time: string): string => `SELECT ${query} ${way.order(time, !way.falls)} LIMIT 1`;
  const changedBack = `${from} AND ${CHANGED}${back(way, key, way.bounds)}${way.otherFilter}`;
  const unchangedBack = `${from} AND ${UNCHANGED}${back(way, unchangedKey, way.unchangedBounds)}`;
  return {
    parts: [...bins, `start AS MATERIALIZED (SELECT ${columns} FROM position)`],
    page,
    near: `SELECT FROM position, LATERAL (${first(unchangedBack, "r.inserted_at")}) r
      UNION ALL SELECT FROM position, bins, unnest(bins.list[:${count}]) AS bin,
        LATERAL (${first(`${changedBack} AND ${bin} = bin`, `r.${column}`)}) r
      UNION ALL SELECT FROM position, bins, LATERAL (${first(`${changedBack} AND ${isRest}`, `r.${column}`)}) r`,
  };
}

/** The bins of the range that hold changed records, newest first: one step along the index for each. */
function binsSql(
  from: string,
  bin: string,
  count: number,
  { min, max }: { readonly min: string | null; readonly max: string | null },
): string[] {
  const newest = (below: string): string =>
    `SELECT ${bin} AS bin ${from} AND ${CHANGED}${below}${min ? ` AND ${bin} >= ${min}` : ""}
      ORDER BY ${bin} DESC LIMIT 1`;
  return [
    `bin AS ((${newest(max ? ` AND ${bin} <= ${max}` : "")})
      UNION ALL SELECT r.bin FROM bin, LATERAL (${newest(` AND ${bin} < bin.bin`)}) r)`,
    `bins AS MATERIALIZED (SELECT array(SELECT bin FROM bin LIMIT ${count + 1}) AS list)`,
  ];
}
