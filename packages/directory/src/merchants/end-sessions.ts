import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { lockMerchant } from "./lock-merchant.ts";

/** Ends all sessions of the merchant, in every browser. Index: merchants_pkey. */
export async function endSessions(sql: Sql, merchantId: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    await lockMerchant(tx, merchantId);
    await tx`UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${merchantId}`;
    await recordAudit(tx, { action: "merchant_sign_out_everywhere", merchantId }, actor);
  });
}
