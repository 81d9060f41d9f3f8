import type { TransactionSql } from "postgres";

/** The command named a shop that does not exist. */
export class UnknownShopError extends Error {
  readonly code = "UNKNOWN_SHOP";

  constructor(shopId: string) {
    super(`there is no shop ${JSON.stringify(shopId)}`);
    this.name = "UnknownShopError";
  }
}

/** Throws {@link UnknownShopError} unless the shop exists. Index: shops_pkey. */
export async function requireShop(sql: TransactionSql, shopId: string): Promise<void> {
  const shops = await sql`SELECT FROM directory.shops WHERE id = ${shopId}`;
  if (shops.length === 0) throw new UnknownShopError(shopId);
}
