import type { ISql } from "postgres";
import type { MerchantAccount } from "../merchant.ts";

/**
 * Whether the merchant is a member of the shop, and none of her sessions has ended since the account was read. What would change
 * that waits until the transaction ends. So a transaction that asks this last commits nothing after a removal was answered.
 * FOR SHARE would do on one Postgres; on a cluster two of those wait for each other. Indexes: memberships_pkey, merchants_pkey.
 */
export async function isMember(tx: ISql, merchant: MerchantAccount, shopId: string): Promise<boolean> {
  const rows = await tx`
    SELECT FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.merchant_id = ${merchant.id} AND m.shop_id = ${shopId}
      AND p.status = 'active' AND p.session_epoch = ${merchant.sessionEpoch}
    FOR NO KEY UPDATE OF m, p`;
  return rows.length === 1;
}
