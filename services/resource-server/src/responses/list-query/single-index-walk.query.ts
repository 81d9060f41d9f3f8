import type { Bounds, Way } from "./direction.ts";

/** The parts of a list's statement that read records. */
export interface Walk {
  /** Common table expressions. */
  readonly parts: readonly string[];
  /** A query of the page's records, one column `doc`, in the order of the scan. */
  readonly page: string;
  /** A query with a row if a record lies at the cursor's position or before it, seen in the way of the walk. */
  readonly near: string;
}

/**
 * Along the index of the sort's time, where nothing is filtered by the other: as many entries as records.
 * Index: responses_by_inserted_at, responses_by_updated_at.
 */
export function straightWalk(way: Way, limit: string): Walk {
  const { bounds, column } = way;
  const from = `FROM survey.responses r WHERE r.shop_id = ${way.shop}`;
  const key = `(r.${column}, r.id)`;
  const page = `SELECT r.doc ${from}${forth(way, key, bounds, "(start.at, start.id)")}
    ${way.order(`r.${column}`)} LIMIT ${limit}`;
  if (!way.hasCursor) return { parts: [], page, near: "" };
  const [at, id] = way.start(bounds.near);
  return {
    parts: [`start AS MATERIALIZED (SELECT ${at} AS at, ${id} AS id FROM position)`],
    page: `SELECT r.doc FROM start, LATERAL (${page}) r`,
    near: `SELECT FROM position, LATERAL (
      SELECT ${from}${back(way, key, bounds)} ${way.order(`r.${column}`, !way.falls)} LIMIT 1) r`,
  };
}

/** From the start on to the far bound. Without a cursor, or where it does not matter, the near bound is the start. */
export function forth(way: Way, key: string, { near, far }: Bounds, start?: string): string {
  const from = way.hasCursor && start ? start : near?.row;
  return `${from ? ` AND ${key} ${way.beyond} ${from}` : ""}${far ? ` AND ${key} ${way.within} ${far.row}` : ""}`;
}

/** From the cursor's position back to the near bound. */
export function back(way: Way, key: string, { near }: Bounds): string {
  const bound = near ? ` AND ${key} ${way.beyond} ${near.row}` : "";
  return ` AND ${key} ${way.within} (position.at, position.id)${bound}`;
}
