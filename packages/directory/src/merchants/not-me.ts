import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import type { ActorOrigin } from "../members/accept-invitation.ts";
import { insertResetLink } from "../passwords/reset-link.ts";
import { lockMerchant } from "./lock-merchant.ts";
import { accountColumns, type MerchantAccount } from "./merchant.ts";

/** What the link 'This wasn't me' of a mail undoes. */
export interface NotMe {
  /** Whose mailbox the link was sent to. */
  readonly merchant: MerchantAccount;
  /** The connection that the mail told of; null: it told of something else. */
  readonly connection: { readonly shopId: string; readonly id: string } | null;
  readonly isUsed: boolean;
}

interface NotMeLink extends Pick<NotMe, "isUsed"> {
  readonly email: string;
  readonly merchantId: string | null;
  readonly shopId: string | null;
  readonly connectionId: string | null;
}

/**
 * Null: the link has expired or never was, or its merchant is disabled or has another address by now. It stays as it is. Indexes:
 * merchant_links_pkey, merchants_pkey.
 */
export async function findNotMe(sql: Queries, token: string): Promise<NotMe | null> {
  const [link] = await sql<NotMeLink[]>`
    SELECT email, about ->> 'merchant_id' AS "merchantId", about ->> 'shop_id' AS "shopId",
      about ->> 'connection_id' AS "connectionId", used_at IS NOT NULL AS "isUsed"
    FROM directory.merchant_links
    WHERE token_hash = ${hashCredential(token)} AND purpose = 'not_me' AND expires_at > now()`;
  if (!link) return null;
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants
    WHERE id = ${link.merchantId} AND lower(email) = ${link.email} AND status = 'active'`;
  if (!merchant) return null;
  const { shopId, connectionId, isUsed } = link;
  const connection = shopId !== null && connectionId !== null ? { shopId, id: connectionId } : null;
  return { merchant, connection, isUsed };
}

/** True once. Call it in the transaction of what the link does. Index: merchant_links_pkey. */
export async function useUpNotMe(tx: Queries, token: string): Promise<boolean> {
  const used = await tx`
    UPDATE directory.merchant_links SET used_at = now()
    WHERE token_hash = ${hashCredential(token)} AND purpose = 'not_me' AND used_at IS NULL AND expires_at > now()
    RETURNING true`;
  return used.length === 1;
}

/**
 * Ends all sessions of the merchant to whom the link was mailed, and makes a link to set a new password. Both once: null if the link has
 * ended meanwhile.
 */
export async function endSessionsByLink(
  sql: Sql,
  token: string,
  merchantId: string,
  from: ActorOrigin,
): Promise<{ readonly resetToken: string } | null> {
  const actor: Actor = { ...from, name: `merchant:${merchantId}` };
  return await transaction(sql, async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    if (merchant.status !== "active" || !(await useUpNotMe(tx, token))) return null;
    await tx`UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${merchantId}`;
    const event = { action: "merchant_sign_out_everywhere", merchantId, detail: { by: "mail" } } as const;
    await recordAudit(tx, event, actor);
    return { resetToken: (await insertResetLink(tx, merchant, actor)).token };
  });
}
