import { EARLIEST } from "../../pagination/time-parameters.ts";
import { impliedRange, type Walk } from "./walk.ts";

const WIDTH = 28 * 86_400_000;
const ORIGIN = Date.UTC(2000, 0, 3);

/** The SQL expression that the indexes responses_changed_* begin with: of a time, where its 28 days begin. */
export const binSql = (column: string): string => `date_bin('28 days', ${column}, timestamptz '2000-01-03T00:00:00Z')`;

/** Where the bin of `time` begins. Milliseconds since the epoch. */
function binOf(time: number): number {
  return ORIGIN + Math.floor((time - ORIGIN) / WIDTH) * WIDTH;
}

/**
 * The bins of the other time that a merged walk reads, in one row: `list`, those in the filter's range that hold changed records, found by
 * a loose index scan and empty where `small_range` serves; `inside`, those of them that lie in the range as a whole; `probe_limit`, how
 * many records the probe reads of each.
 */
export function binsCte({ shop, limit, other: time, ranges, bindTime }: Walk, changed: string): string {
  const bin = binSql(`r.${time}`);
  const { min, max } = impliedRange(time, ranges);
  const first = max === null ? null : bindTime(Math.max(binOf(max), EARLIEST));
  const last = min === null || binOf(min) < EARLIEST ? null : bindTime(binOf(min));
  const ends = [first, last].filter((end) => end !== null);
  const latest = (bound: string): string => `SELECT ${bin} AS bin FROM survey.responses r
WHERE r.shop_id = ${shop} AND ${changed}${bound}${last === null ? "" : ` AND ${bin} >= ${last}`}
ORDER BY ${bin} DESC LIMIT 1`;
  return `bins AS MATERIALIZED (
  WITH RECURSIVE bins AS (
    (
${latest(first === null ? "" : ` AND ${bin} <= ${first}`)})
    UNION ALL
    SELECT r.bin FROM bins, LATERAL (
${latest(` AND ${bin} < bins.bin`)}) r)
  SELECT list, inside, least(${limit}, 2 * ${limit} / greatest(1, cardinality(inside)) + 1) AS probe_limit
  FROM (
    SELECT list, array(SELECT bin FROM unnest(list) AS bin${ends.length > 0 ? ` WHERE bin NOT IN (${ends.join(", ")})` : ""}) AS inside
    FROM (SELECT CASE WHEN (SELECT is_small FROM range_size) THEN '{}' ELSE array(TABLE bins) END AS list) bins) bins)`;
}
