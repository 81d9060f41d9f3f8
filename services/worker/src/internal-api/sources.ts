import { setTimeout as pause } from "node:timers/promises";
import { type ChangesCursor, type FeedRow, pageOf } from "@partner-connect/connections/changes";
import { type Sql, transaction } from "@partner-connect/database";

/** Its other columns are those of the source that partners know. */
interface SourceRow extends FeedRow {
  readonly shop_id: string;
  readonly client_id: string | null;
  readonly updated_at: string;
}

/**
 * The sources created or changed after `after`, in the order of their numbers: of each source its last change. Null: the cursor has
 * expired. Index: sources_by_number.
 */
export async function readSources(sql: Sql, after: ChangesCursor, limit: number) {
  await numberSources(sql);
  const rows = await sql<SourceRow[]>`
    SELECT position.number::float8 AS last, epoch, past, source.number::float8 AS number, shop_id, client_id, source.id, name, type,
      external_id, url, aliases, survey.timestamp_text(inserted_at) AS inserted_at, survey.timestamp_text(updated_at) AS updated_at
    FROM survey.source_position AS position
      LEFT JOIN LATERAL (
        SELECT * FROM survey.sources WHERE number > ${after.number} ORDER BY number LIMIT ${limit + 1}
      ) AS source ON true
    ORDER BY source.number`;
  const found = pageOf(after, rows, limit);
  if (!found) return null;
  const data = found.page.map(({ last: _, epoch: __, past: ___, number: ____, shop_id, client_id, ...source }) => ({
    ...{ shop_id, client_id, at: source.updated_at },
    source,
  }));
  return { data, cursor: found.cursor, hasMore: found.hasMore };
}

/** Sources numbered in one transaction. */
const BATCH = 5000;

/**
 * Assigns numbers to committed changes that have none, and returns the last number. The position's row stays locked until the commit, so
 * numbers are assigned in one order, and a source that is committed later gets a higher one. Index: sources_by_number.
 */
async function numberSources(sql: Sql): Promise<number> {
  const [found] = await sql<{ last: number; isNew: boolean }[]>`
    SELECT number::float8 AS last, EXISTS (SELECT FROM survey.sources WHERE number IS NULL) AS "isNew"
    FROM survey.source_position`;
  if (!found?.isNew) return found?.last ?? 0;
  return await transaction(sql, async (tx) => {
    await tx`SELECT FROM survey.source_position FOR UPDATE`;
    // Locked rows are being changed, and will need a later number.
    const [numbered] = await tx<{ last: number }[]>`
      WITH changed AS MATERIALIZED (
        SELECT shop_id, id, updated_at FROM survey.sources WHERE number IS NULL LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
      numbered AS (
        UPDATE survey.sources AS source SET number = position.number + place
        FROM survey.source_position AS position,
          (SELECT shop_id, id, row_number() OVER (ORDER BY updated_at, id) AS place FROM changed) AS changed
        WHERE source.shop_id = changed.shop_id AND source.id = changed.id
        RETURNING 1)
      UPDATE survey.source_position SET number = number + (SELECT count(*) FROM numbered) RETURNING number::float8 AS last`;
    return numbered?.last ?? 0;
  });
}

/** Milliseconds. */
const LOOK_EVERY = 150;

/** Lets calls wait for sources. Waiting calls share one query; without waiting calls nothing is queried. */
export function watchSources(sql: Sql) {
  let looking: Promise<number> | null = null;
  let isClosed = false;
  const look = (): Promise<number> => {
    looking ??= pause(LOOK_EVERY)
      .then(() => numberSources(sql))
      .catch(() => 0) // while Postgres is down
      .finally(() => (looking = null));
    return looking;
  };
  return {
    /** Resolves once there is a source after `number`, after `seconds`, on abort, or at the close. */
    async wait(number: number, signal: AbortSignal, seconds: number): Promise<void> {
      const end = performance.now() + seconds * 1000;
      while (!isClosed && !signal.aborted && performance.now() < end) {
        if ((await look()) > number) return;
      }
    },
    close(): void {
      isClosed = true;
    },
  };
}
