import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { canonicalEmail } from "./email.ts";
import {
  accountColumns,
  lockMerchant,
  type MerchantAccount,
  raiseSessionEpoch,
  requireMerchant,
} from "./merchants.ts";

/** An account at an OpenID Connect provider. It doesn't change with the email address. */
export interface Identity {
  /** The provider's URL. */
  readonly issuer: string;
  readonly subject: string;
}

/** The account of an identity, or why there is none. */
export type IdentityOwner =
  | { readonly outcome: "found"; readonly merchant: MerchantAccount }
  | { readonly outcome: "no_account" }
  /** A merchant of the survey product is never linked by an address, as its owner may change. */
  | { readonly outcome: "not_connected" }
  /** The account with this address is linked with another identity of the same provider. */
  | { readonly outcome: "joined_with_another" };

/** The merchant linked with the identity, or null. Index: merchant_identities_pkey. */
export async function findMerchantByIdentity(sql: Queries, { issuer, subject }: Identity) {
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants WHERE id = (
      SELECT merchant_id FROM directory.merchant_identities WHERE issuer = ${issuer} AND subject = ${subject})`;
  return merchant ?? null;
}

/** The merchant of the survey product with this id, or null. Index: merchants_pkey. */
export async function findProductMerchant(sql: Queries, id: string) {
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants WHERE id = ${id} AND from_product AND erased_at IS NULL`;
  return merchant ?? null;
}

/**
 * Links the identity with the account that has this address, which the provider has verified. A
 * disabled account is returned but not linked. Indexes: merchants_by_email,
 * merchant_identities_pkey, merchant_identities_by_merchant.
 */
export async function linkIdentity(
  sql: Sql,
  identity: Identity,
  email: string,
  from: Omit<Actor, "name">,
): Promise<IdentityOwner> {
  const { issuer, subject } = identity;
  return await transaction(sql, async (tx): Promise<IdentityOwner> => {
    const [row] = await tx<(MerchantAccount & { isFromProduct: boolean })[]>`
      SELECT ${accountColumns(tx)}, from_product AS "isFromProduct" FROM directory.merchants
      WHERE lower(email) = ${canonicalEmail(email)} FOR NO KEY UPDATE`;
    if (!row) return { outcome: "no_account" };
    const { isFromProduct, ...merchant } = row;
    if (isFromProduct) return { outcome: "not_connected" };
    if (merchant.status === "disabled") return { outcome: "found", merchant };
    const [joined] = await tx`
      INSERT INTO directory.merchant_identities (issuer, subject, merchant_id) VALUES (${issuer}, ${subject}, ${merchant.id})
      ON CONFLICT DO NOTHING RETURNING true`;
    if (!joined) {
      // A concurrent call has linked the identity, or the account has another one at this provider.
      const owner = await findMerchantByIdentity(tx, identity);
      return owner ? { outcome: "found", merchant: owner } : { outcome: "joined_with_another" };
    }
    const { id: merchantId } = merchant;
    const by = { ...from, name: `merchant:${merchantId}` };
    const detail = { issuer };
    await recordAudit(tx, { action: "merchant_join_identity", merchantId, detail }, by);
    return { outcome: "found", merchant };
  });
}

/**
 * Unlinks a merchant's identities, and ends all sessions. The next sign-in links an identity by the
 * address again.
 * @returns the issuers; if there are none, nothing was changed
 * @throws {DirectoryError} UNKNOWN_MERCHANT
 */
export async function unlinkIdentities(sql: Sql, email: string, actor: Actor): Promise<string[]> {
  const { id } = await requireMerchant(sql, email);
  return await transaction(sql, async (tx) => {
    await lockMerchant(tx, id);
    const forgotten = await tx<{ issuer: string }[]>`
      DELETE FROM directory.merchant_identities WHERE merchant_id = ${id} RETURNING issuer`;
    const issuers = forgotten.map(({ issuer }) => issuer).sort();
    if (issuers.length === 0) return issuers;
    await raiseSessionEpoch(tx, id);
    const detail = { issuers };
    await recordAudit(tx, { action: "merchant_forget_identity", merchantId: id, detail }, actor);
    return issuers;
  });
}
