import { recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import type { ActorOrigin } from "../members/accept-invitation.ts";
import { lockMerchant } from "./lock-merchant.ts";
import type { Merchant } from "./merchant.ts";

/** The address that the link was mailed to, or null if it was used, has expired or never was. It stays as it is. Index: merchant_links_pkey. */
export async function findAddressLink(sql: Sql, token: string): Promise<string | null> {
  const [link] = await sql<{ email: string }[]>`
    SELECT email FROM directory.merchant_links
    WHERE token_hash = ${hashCredential(token)} AND purpose = 'confirm_address' AND used_at IS NULL AND expires_at > now()`;
  return link?.email ?? null;
}

/**
 * Confirms the account by the link that was mailed to its address. The merchant is signed in to it: the mailbox alone would confirm an
 * account that a stranger made in the name of who has the mailbox. False: the link has ended, or is for another address.
 */
export async function confirmAddress(sql: Sql, token: string, merchant: Merchant, from: ActorOrigin): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    const { id, email } = await lockMerchant(tx, merchant.id);
    const used = await tx`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE token_hash = ${hashCredential(token)} AND purpose = 'confirm_address' AND email = ${email}
        AND used_at IS NULL AND expires_at > now() RETURNING true`;
    if (used.length === 0) return false;
    await tx`UPDATE directory.merchants SET confirmed = true WHERE id = ${id} AND NOT confirmed`;
    await recordAudit(tx, { action: "merchant_confirm", merchantId: id }, { ...from, name: `merchant:${id}` });
    return true;
  });
}
