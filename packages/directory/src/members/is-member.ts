import type { Queries } from "@partner-connect/database";
import type { MerchantAccount } from "../merchants/merchant.ts";

/**
 * Whether the merchant is a member of the shop now, and none of her sessions has ended since the account was read. It takes no lock: on a
 * cluster that would need every node. Indexes: memberships_pkey, merchants_pkey.
 */
export async function isMember(sql: Queries, merchant: MerchantAccount, shopId: string): Promise<boolean> {
  const rows = await sql`
    SELECT FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.merchant_id = ${merchant.id} AND m.shop_id = ${shopId}
      AND p.status = 'active' AND p.session_epoch = ${merchant.sessionEpoch}`;
  return rows.length === 1;
}
