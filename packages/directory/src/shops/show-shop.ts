import type { Sql } from "@partner-connect/database";
import type { Shop } from "../merchants/merchant.ts";
import { unknownShop } from "./shop.ts";

export interface ShopDetails extends Shop {
  readonly createdAt: Date;
  /** Connected or held. */
  readonly connections: number;
  /** Not revoked. */
  readonly apiKeys: number;
}

/** A shop with what has access to it: for operators. Indexes: shops_pkey, connections_pkey. */
export async function showShop(sql: Sql, id: string): Promise<ShopDetails> {
  const [shop] = await sql<ShopDetails[]>`
    SELECT s.id, s.name, s.domain, s.plan, s.created_at AS "createdAt",
      (SELECT count(*)::int FROM oauth.connections c WHERE c.shop_id = ${id} AND c.status = 'connected') AS connections,
      (SELECT count(*)::int FROM directory.api_keys k WHERE k.shop_id = ${id} AND k.revoked_at IS NULL) AS "apiKeys"
    FROM directory.shops s WHERE s.id = ${id}`;
  if (!shop) throw unknownShop(id);
  return shop;
}
