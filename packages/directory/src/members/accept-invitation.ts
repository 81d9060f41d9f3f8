import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import type { Merchant } from "../merchants/merchant.ts";
import { type Group, groupTerms, memberAction } from "./group.ts";
import { invitationEnded, isOpen } from "./invitation.ts";
import { lockOwners } from "./member.ts";
import type { Role } from "./role.ts";
import { tellOwners } from "./tell-owners.ts";

/** Where a request came from; who acts is known only when the invitation is accepted. */
export type ActorOrigin = Omit<Actor, "name">;

/**
 * Makes the merchant a member of the shop that the invitation is for. It is used up in the transaction that adds her, so of two
 * at once one wins; what ends it meanwhile wins too. An owner stays one. Indexes: merchant_links_pkey, memberships_pkey.
 * @throws {DirectoryError} INVITATION_ENDED, also for another merchant than the one invited
 */
export async function acceptInvitation(sql: Sql, token: string, merchant: Merchant, from: ActorOrigin): Promise<Group> {
  return await transaction(sql, async (tx) => {
    const { group, role } = await useUp(tx, token, merchant.email);
    await join(tx, { group, role, merchant }, { ...from, name: `merchant:${merchant.id}` });
    return group;
  });
}

async function useUp(sql: Queries, token: string, email: string): Promise<{ group: Group; role: Role }> {
  const [group] = await sql<Group[]>`
    SELECT shop_id AS "shopId" FROM directory.merchant_links WHERE token_hash = ${hashCredential(token)} AND shop_id IS NOT NULL`;
  if (!group) throw invitationEnded();
  // In the same order as a removal takes its locks.
  await lockOwners(sql, group);
  const [used] = await sql<{ role: Role; sentFor: string | null }[]>`
    UPDATE directory.merchant_links l SET used_at = now()
    WHERE l.token_hash = ${hashCredential(token)} AND l.email = lower(${email}) AND ${isOpen(sql)}
    RETURNING l.role, l.about ->> 'invitation' AS "sentFor"`;
  if (!used) throw invitationEnded();
  const { sentFor, role } = used;
  if (sentFor !== null)
    await sql`UPDATE directory.merchant_links SET used_at = now() WHERE token_hash = ${Buffer.from(sentFor, "hex")}`;
  return { group, role };
}

async function join(
  sql: Queries,
  { group, role, merchant }: { readonly group: Group; readonly role: Role; readonly merchant: Merchant },
  actor: Actor,
): Promise<void> {
  const { members, column, id } = groupTerms(sql, group);
  await sql`
    INSERT INTO ${members} AS m (${column}, merchant_id, role) VALUES (${id}, ${merchant.id}, ${role})
    ON CONFLICT (merchant_id, ${column}) DO UPDATE SET role = 'owner' WHERE excluded.role = 'owner'`;
  const detail = { email: merchant.email, role, by: "invitation" };
  await recordAudit(sql, { action: memberAction("add"), ...group, merchantId: merchant.id, detail }, actor);
  await tellOwners(sql, "added", group, { memberId: merchant.id, role }, actor);
}
