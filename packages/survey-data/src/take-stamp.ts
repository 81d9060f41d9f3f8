import type { TransactionSql } from "postgres";

/**
 * The one time that this transaction's changes of the shop bear, and the shop's write lock, held to commit. The stamp
 * is later than every updated_at that was ever visible to a reader of the shop, also when the clock went back or the
 * newest rows were deleted, and not before `atLeast`: so nothing appears behind a reader that has already passed.
 *
 * The row is the lock and the memory in one (an advisory lock would hold only on the node that it was taken on, and
 * forget). Taken late: whoever waits for it waits for the rest of the transaction. Index: responses_by_updated_at.
 */
export async function takeStamp(sql: TransactionSql, shopId: string, atLeast?: number): Promise<Date> {
  const [row] = await sql<{ stamp: Date }[]>`
    INSERT INTO survey.stamps AS last (shop_id, stamp)
    SELECT ${shopId}, greatest(
      date_trunc('milliseconds', clock_timestamp()),
      ${atLeast === undefined ? null : new Date(atLeast)}::timestamptz,
      max(updated_at) + interval '1 millisecond')
    FROM survey.responses WHERE shop_id = ${shopId}
    ON CONFLICT (shop_id) DO UPDATE SET stamp = greatest(
      date_trunc('milliseconds', clock_timestamp()), -- once the lock is ours
      excluded.stamp,
      last.stamp + interval '1 millisecond')
    RETURNING stamp`;
  if (!row) throw new Error("an upsert returned no row");
  return row.stamp;
}
