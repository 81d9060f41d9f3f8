import assert from "node:assert/strict";
import type { Queries } from "@partner-connect/database";
import { accountColumns, type MerchantAccount } from "../merchants/merchant.ts";

/**
 * A new password, and the end of what the former one opened: all sessions and all links to reset it. Inside a transaction that
 * holds the merchant's row. Indexes: merchants_pkey, merchant_links_by_email.
 */
export async function storePassword(tx: Queries, merchantId: string, passwordHash: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants
    SET password_hash = ${passwordHash}, session_epoch = session_epoch + 1, password_changed_at = now()
    WHERE id = ${merchantId} RETURNING ${accountColumns(tx)}`;
  assert(merchant, "the merchant's row is not locked");
  await endResetLinks(tx, merchant.email);
  return merchant;
}

/** Ends the links that were not used yet. Inside a transaction that holds the merchant's row. */
export async function endResetLinks(tx: Queries, email: string): Promise<void> {
  await tx`
    UPDATE directory.merchant_links SET used_at = now()
    WHERE email = ${email} AND purpose = 'reset_password' AND used_at IS NULL`;
}
