import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { canonicalEmail } from "../merchants/email.ts";
import { requireShop } from "../shops/shop.ts";
import { type Group, groupOf, groupTerms, memberAction } from "./group.ts";
import { lockOwners, type Member, membersOfShop, requireOwner } from "./member.ts";
import { tellOwners } from "./tell-owners.ts";

export type Removal = Group & {
  readonly merchantId: string;
  /** The owner who asks for it, by id; none: an operator does, or the member herself. */
  readonly byOwner?: string | undefined;
};

/**
 * Takes a merchant out of the shop, from the next page that she opens on. What she connected stays connected: it is the shop's.
 * Invitations that she made, or that wait for her, end with it. Indexes: memberships_pkey, merchant_links_by_shop.
 * @throws {DirectoryError} NOT_AN_OWNER, LAST_OWNER, UNKNOWN_MEMBER
 */
export async function removeMember(sql: Sql, removal: Removal, actor: Actor): Promise<void> {
  const { merchantId, byOwner } = removal;
  const group = groupOf(removal);
  await transaction(sql, async (tx) => {
    const { members, column, id, purpose, noun } = groupTerms(tx, group);
    const owners = byOwner === undefined ? await lockOwners(tx, group) : await requireOwner(tx, group, byOwner);
    if (owners.includes(merchantId)) refuseLastOwner(owners, merchantId, noun);
    // Before: an owner who is removed is told too.
    await tellOwners(tx, "removed", group, { memberId: merchantId }, actor);
    const [removed] = await tx<{ role: string; email: string }[]>`
      DELETE FROM ${members} m USING directory.merchants p
      WHERE m.merchant_id = ${merchantId} AND m.${column} = ${id} AND p.id = m.merchant_id
      RETURNING m.role, p.email`;
    if (!removed) {
      throw new DirectoryError("UNKNOWN_MEMBER", `the merchant ${merchantId} is not a member of the ${noun} ${id}`);
    }
    await tx`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE ${column} = ${id} AND purpose = ${purpose} AND used_at IS NULL
        AND (created_by = ${`merchant:${merchantId}`} OR email = ${removed.email})`;
    const action = memberAction(actor.name === `merchant:${merchantId}` ? "leave" : "remove");
    await recordAudit(tx, { action, ...group, merchantId, detail: removed }, actor);
  });
}

/**
 * The member with this email, for an operator who is about to remove her. The removal itself judges anew.
 * @throws {DirectoryError} UNKNOWN_SHOP, UNKNOWN_MEMBER, LAST_OWNER
 */
export async function removableMember(sql: Sql, shopId: string, email: string): Promise<Member> {
  await requireShop(sql, shopId);
  const wanted = canonicalEmail(email);
  const members = await membersOfShop(sql, shopId);
  const member = members.find((candidate) => canonicalEmail(candidate.email) === wanted);
  if (!member) throw new DirectoryError("UNKNOWN_MEMBER", `${JSON.stringify(email)} is not a member of this shop`);
  const owners = members.filter(({ role }) => role === "owner");
  if (member.role === "owner") {
    refuseLastOwner(
      owners.map(({ merchantId }) => merchantId),
      member.merchantId,
    );
  }
  return member;
}

/** @throws {DirectoryError} LAST_OWNER when nobody else is an owner: then nobody could add a member any more */
export function refuseLastOwner(owners: readonly string[], merchantId: string, noun = "shop"): void {
  if (owners.some((id) => id !== merchantId)) return;
  throw new DirectoryError("LAST_OWNER", `a ${noun} keeps one owner at least; add another owner first`);
}
