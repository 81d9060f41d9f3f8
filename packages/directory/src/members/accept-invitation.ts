import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import type { Merchant } from "../merchants/merchant.ts";
import { invitationEnded, isOpen } from "./invitation.ts";
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

async function useUp(sql: Queries, token: string, email: string): Promise<{ shopId: string; role: Role }> {
  const [link] = await sql<{ shopId: string }[]>`
    SELECT shop_id AS "shopId" FROM directory.merchant_links WHERE token_hash = ${hashCredential(token)}`;
  // In the same order as a removal takes its locks.
  if (link) await lockOwners(sql, link.shopId);
  const [used] = await sql<{ shopId: string; role: Role }[]>`
    UPDATE directory.merchant_links l SET used_at = now()
    WHERE l.token_hash = ${hashCredential(token)} AND l.email = lower(${email}) AND ${isOpen(sql)}
    RETURNING l.shop_id AS "shopId", l.role`;
  if (used) return used;
  throw invitationEnded();
}

async function join(
  sql: Queries,
  { shopId, role, merchant }: { readonly shopId: string; readonly role: Role; readonly merchant: Merchant },
  actor: Actor,
): Promise<void> {
  await sql`
    INSERT INTO directory.memberships AS m (shop_id, merchant_id, role) VALUES (${shopId}, ${merchant.id}, ${role})
    ON CONFLICT (merchant_id, shop_id) DO UPDATE SET role = 'owner' WHERE excluded.role = 'owner'`;
  const detail = { email: merchant.email, role, by: "invitation" };
  await recordAudit(sql, { action: "member_add", shopId, merchantId: merchant.id, detail }, actor);
}
