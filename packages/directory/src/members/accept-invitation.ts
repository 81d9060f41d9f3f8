import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import type { ISql } from "postgres";
import { hashCredential } from "../credential.ts";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { accountColumns, type Merchant, type MerchantAccount } from "../merchant.ts";
import { hashPassword } from "../password.ts";
import { requirePassword } from "../password-rule.ts";
import { findInvitation, isOpen } from "./invitation.ts";
import { lockOwners } from "./member.ts";
import type { Role } from "./role.ts";

/** Where a request came from; who acts is known only when the invitation is accepted. */
export type ActorOrigin = Omit<Actor, "name">;

/**
 * Makes the merchant a member of the shop that the invitation is for. It is used up in the transaction that adds her, so of two
 * at once one wins; what ends it meanwhile wins too. An owner stays one. Indexes: merchant_links_pkey, memberships_pkey.
 * @returns the shop
 * @throws {DirectoryError} INVITATION_ENDED, also for another merchant than the one invited
 */
export async function acceptInvitation(
  sql: Sql,
  token: string,
  merchant: Merchant,
  from: ActorOrigin,
): Promise<{ shopId: string }> {
  return await transaction(sql, async (tx) => {
    const { shopId, role } = await useUp(tx, token, merchant.email);
    await join(tx, { shopId, role, merchant }, { ...from, name: `merchant:${merchant.id}` });
    return { shopId };
  });
}

/**
 * Makes an account for the invited address, and its merchant a member of the shop, both or neither.
 * @throws {DirectoryError} INVITATION_ENDED; EMAIL_TAKEN: then the invitation still works; INVALID_NAME, INVALID_PASSWORD
 */
export async function joinAsNewMerchant(
  sql: Sql,
  token: string,
  account: { readonly name: string; readonly password: string },
  from: ActorOrigin,
): Promise<{ readonly shopId: string; readonly merchant: MerchantAccount }> {
  const name = displayName(account.name, "merchant");
  const invitation = await findInvitation(sql, token);
  if (!invitation) throw ended();
  const { email } = invitation;
  await requirePassword(account.password, { email, name, shops: [invitation.shop] }, "person");
  const taken = await sql`SELECT FROM directory.merchants WHERE lower(email) = ${email}`;
  if (taken.length > 0) throw emailTaken(email);
  const passwordHash = await hashPassword(account.password);
  return await transaction(sql, async (tx) => {
    const { shopId, role } = await useUp(tx, token, email);
    const [merchant] = await tx<MerchantAccount[]>`
      INSERT INTO directory.merchants (email, name, password_hash) VALUES (${email}, ${name}, ${passwordHash})
      ON CONFLICT (lower(email)) DO NOTHING RETURNING ${accountColumns(tx)}`;
    if (!merchant) throw emailTaken(email);
    const actor = { ...from, name: `merchant:${merchant.id}` };
    const detail = { email: merchant.email, invited_to: shopId };
    await recordAudit(tx, { action: "merchant_create", merchantId: merchant.id, detail }, actor);
    await join(tx, { shopId, role, merchant }, actor);
    return { shopId, merchant };
  });
}

async function useUp(sql: ISql, token: string, email: string): Promise<{ shopId: string; role: Role }> {
  const [link] = await sql<{ shopId: string }[]>`
    SELECT shop_id AS "shopId" FROM directory.merchant_links WHERE token_hash = ${hashCredential(token)}`;
  // In the same order as a removal takes its locks.
  if (link) await lockOwners(sql, link.shopId);
  const [used] = await sql<{ shopId: string; role: Role }[]>`
    UPDATE directory.merchant_links l SET used_at = now()
    WHERE l.token_hash = ${hashCredential(token)} AND l.email = lower(${email}) AND ${isOpen(sql)}
    RETURNING l.shop_id AS "shopId", l.role`;
  if (used) return used;
  throw ended();
}

function emailTaken(email: string): DirectoryError {
  return new DirectoryError("EMAIL_TAKEN", `a merchant with the email ${email} exists already`);
}

function ended(): DirectoryError {
  return new DirectoryError("INVITATION_ENDED", "the invitation was used or withdrawn, or has expired");
}

async function join(
  sql: ISql,
  { shopId, role, merchant }: { readonly shopId: string; readonly role: Role; readonly merchant: Merchant },
  actor: Actor,
): Promise<void> {
  await sql`
    INSERT INTO directory.memberships AS m (shop_id, merchant_id, role) VALUES (${shopId}, ${merchant.id}, ${role})
    ON CONFLICT (merchant_id, shop_id) DO UPDATE SET role = 'owner' WHERE excluded.role = 'owner'`;
  const detail = { email: merchant.email, role, by: "invitation" };
  await recordAudit(sql, { action: "member_add", shopId, merchantId: merchant.id, detail }, actor);
}
