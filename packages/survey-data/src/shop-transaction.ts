import assert from "node:assert/strict";
import { type Queries, type Sql, type Transaction, transaction } from "@partner-connect/database";

export class UnknownShopError extends Error {
  readonly code = "UNKNOWN_SHOP";

  constructor(shopId: string) {
    super(`there is no shop ${JSON.stringify(shopId)}`);
    this.name = "UnknownShopError";
  }
}

/**
 * Runs `work` in a transaction that holds the shop's lock, without a statement timeout. Until its
 * end, other writes and an erasure of the shop wait. @throws {UnknownShopError} if there is no such
 * shop, or it is being erased
 */
export async function inShopTransaction<T>(
  sql: Sql,
  shopId: string,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  return await transaction(sql, async (inside) => {
    await inside`
      SELECT set_config('statement_timeout', '0', true), set_config('client_connection_check_interval', '1s', true)`;
    await lockShop(inside, shopId);
    return await work(inside);
  });
}

/** Index: shops_pkey. @throws {UnknownShopError} */
export async function refuseUnknownShop(sql: Queries, shopId: string): Promise<void> {
  const shops = await sql`SELECT FROM directory.shops WHERE id = ${shopId}`;
  if (shops.length === 0) throw new UnknownShopError(shopId);
}

/**
 * Stores and returns the updated_at for everything that this transaction changes: later than `after`
 * and than any that a reader has seen, regardless of the clock. The caller holds the shop's lock. A
 * trigger adds a change note with the kinds `changes` for the feeds of the shop's clients; an empty
 * list adds none. A deletion adds a separate note. Indexes: responses_unchanged,
 * responses_changed_by_updated_at.
 */
export async function takeStamp(
  sql: Transaction,
  shopId: string,
  changes: readonly ("responses" | "questions")[],
  after: string | null = null,
): Promise<Date> {
  const [row] = await sql<{ stamp: Date }[]>`
    SELECT greatest(
      date_trunc('milliseconds', clock_timestamp()),
      ${after}::timestamptz + interval '1 millisecond',
      (SELECT max(inserted_at) FROM survey.responses WHERE shop_id = ${shopId} AND updated_at = inserted_at) + interval '1 millisecond',
      (SELECT max(updated_at) FROM survey.responses WHERE shop_id = ${shopId} AND updated_at > inserted_at) + interval '1 millisecond',
      last.stamp + interval '1 millisecond') AS stamp
    FROM survey.stamps AS last WHERE last.shop_id = ${shopId}`;
  assert(row, "the row that is locked is not there");
  await sql`UPDATE survey.stamps SET stamp = ${row.stamp}, changes = ${changes} WHERE shop_id = ${shopId}`;
  return row.stamp;
}

/**
 * Locks the shop by its row, because an advisory lock covers only one node of a cluster. @throws
 * {UnknownShopError} if there is no such shop, or it is being erased
 */
async function lockShop(sql: Transaction, shopId: string): Promise<void> {
  await sql`
    INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '-infinity')
    ON CONFLICT (shop_id) DO UPDATE SET stamp = excluded.stamp WHERE false`;
  const [row] = await sql`SELECT directory.lock_shop(${shopId}) AS locked`;
  if (!row?.["locked"]) throw new UnknownShopError(shopId);
}
