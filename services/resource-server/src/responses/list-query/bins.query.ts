import { EARLIEST } from "../../pagination/timestamp.ts";
import { impliedRange } from "./implied-ranges.ts";
import type { Walk } from "./walk.ts";

const WIDTH = 28 * 86_400_000;
const ORIGIN = Date.UTC(2000, 0, 3);

/** With so few bins the whole page is read from each: a probe would cost what it spares. */
const UNPROBED_BINS = 4;

/** The SQL expression that the indexes responses_changed_* begin with: of a time, where its 28 days begin. */
export const binSql = (column: string): string => `date_bin('28 days', ${column}, timestamptz '2000-01-03T00:00:00Z')`;

/** Where the bin of `time` begins. Milliseconds since the epoch. */
function binOf(time: number): number {
  return ORIGIN + Math.floor((time - ORIGIN) / WIDTH) * WIDTH;
}

/**
 * The bins of the other time that a merged walk has to read, in one row:
 * - `list`: those within the filter's range that hold changed records; empty where `small_range` serves. Each is found by
 *   one step along the index from the one before it (a loose index scan), so empty bins cost nothing.
 * - `probe_limit`: how many records the probe reads from each; 0 where no probe pays.
 */
export function binsCte({ shop, limit, other, ranges, bindTime }: Walk, changed: string): string {
  const bin = binSql(`r.${other}`);
  const { min, max } = impliedRange(other, ranges);
  const first = max === null ? "" : ` AND ${bin} <= ${bindTime(Math.max(binOf(max), EARLIEST))}`;
  const last = min === null || binOf(min) < EARLIEST ? "" : ` AND ${bin} >= ${bindTime(binOf(min))}`;
  const latest = (bound: string): string => `SELECT ${bin} AS bin FROM survey.responses r
WHERE r.shop_id = ${shop} AND ${changed}${bound}${last}
ORDER BY ${bin} DESC LIMIT 1`;
  return `bins AS MATERIALIZED (
  WITH RECURSIVE bins AS (
    (
${latest(first)})
    UNION ALL
    SELECT r.bin FROM bins, LATERAL (
${latest(` AND ${bin} < bins.bin`)}) r)
  SELECT list, CASE WHEN cardinality(list) <= ${UNPROBED_BINS} THEN 0 ELSE 2 * ${limit} / cardinality(list) + 1 END AS probe_limit
  FROM (SELECT CASE WHEN (SELECT is_small FROM range_size) THEN '{}' ELSE array(TABLE bins) END AS list) bins)`;
}
