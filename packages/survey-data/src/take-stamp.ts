import type { TransactionSql } from "postgres";

/**
 * Takes the shop's write lock until commit, and returns the stamp: the one updated_at of everything that this transaction
 * changes. The stamp is later than every updated_at that a reader of the shop has ever seen, also when the clock was set
 * back or the newest rows were deleted, and not before `atLeast`. So a reader that follows updated_at misses no change.
 *
 * One row is both the lock and the memory of the newest stamp. (An advisory lock would hold on one node only, and remember
 * nothing.) Take it late: other writers of the shop wait from here to the commit. Index: responses_by_updated_at.
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
