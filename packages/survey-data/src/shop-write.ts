import { type Queries, type Sql, type Transaction, transaction } from "@partner-connect/database";

/** The command named a shop that does not exist. */
export class UnknownShopError extends Error {
  readonly code = "UNKNOWN_SHOP";

  constructor(shopId: string) {
    super(`there is no shop ${JSON.stringify(shopId)}`);
    this.name = "UnknownShopError";
  }
}

/**
 * One transaction that writes a shop's data. It has no time limit. When its client is gone, Postgres notices within a
 * second and rolls back. It is repeated after a deadlock unless it is not `repeatable`. Throws {@link UnknownShopError}. Index: shops_pkey.
 */
export async function writeShop<T>(
  sql: Sql,
  shopId: string,
  work: (sql: Transaction) => Promise<T>,
  options?: { readonly repeatable: boolean },
): Promise<T> {
  const write = async (inside: Transaction): Promise<T> => {
    await inside`
      SELECT set_config('statement_timeout', '0', true), set_config('client_connection_check_interval', '1s', true),
             set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`;
    await requireShop(inside, shopId);
    return await work(inside);
  };
  return await transaction(sql, write, options);
}

/** Throws {@link UnknownShopError}. Index: shops_pkey. */
export async function requireShop(sql: Queries, shopId: string): Promise<void> {
  const shops = await sql`SELECT FROM directory.shops WHERE id = ${shopId}`;
  if (shops.length === 0) throw new UnknownShopError(shopId);
}
