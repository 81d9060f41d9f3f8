import type { Sql } from "@partner-connect/database";
import type { ChangeKind } from "./append-changes.ts";
import { BEGINNING, type ChangesCursor, type FeedRow, pageOf } from "./cursor.ts";

export interface Change {
  readonly number: number;
  /** Null for an entry that concerns no connection. */
  readonly connectionId: string | null;
  readonly shopId: string | null;
  readonly kind: ChangeKind;
  readonly at: Date;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Cursor after this page: everything up to it has been returned. */
  readonly cursor: ChangesCursor;
  readonly hasMore: boolean;
}

type Row = FeedRow & { readonly [Column in keyof Change]: Change[Column] | null };

/**
 * Reads a client's feed after `after` (or from the beginning if it is null), oldest first, in one
 * statement on one shard. Null if the cursor has expired, because the database was restored or a
 * failover lost commits that this reader has seen. Indexes: change_positions_pkey,
 * changes_client_id_number_key.
 */
export async function readChanges(
  sql: Sql,
  clientId: string,
  after: ChangesCursor | null,
  limit: number,
): Promise<ChangesPage | null> {
  const from = after ?? BEGINNING;
  const rows = await sql<Row[]>`
    SELECT position.number::float8 AS last, epoch, past, entry.number::float8 AS number, nullif(connection_id, '') AS "connectionId",
      shop_id AS "shopId", kind, at
    FROM oauth.change_positions AS position
      LEFT JOIN LATERAL (
        SELECT * FROM oauth.changes WHERE client_id = ${clientId} AND number > ${from.number} ORDER BY number LIMIT ${limit + 1}
      ) AS entry ON true
    WHERE position.client_id = ${clientId} ORDER BY entry.number`;
  if (rows.length === 0 && from.number === 0)
    return { changes: [], cursor: BEGINNING, hasMore: false };
  const found = pageOf(from, rows, limit);
  if (!found) return null;
  const { page, ...end } = found;
  return {
    changes: page.map(({ last: _, epoch: __, past: ___, ...change }) => change as Change),
    ...end,
  };
}
