import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";
import { DirectoryError } from "../directory-error.ts";
import { canonicalEmail } from "../merchants/email.ts";
import { requireShop } from "../shops/shop.ts";
import { lockMembers, type Member, membersOfShop, refuseLastMember } from "./member.ts";

/**
 * Takes a merchant out of the shop, from the next page that she opens on; all its members get a mail. What she connected stays connected: it
 * is the shop's. Index: memberships_pkey.
 * @throws {DirectoryError} LAST_MEMBER, UNKNOWN_MEMBER
 */
export async function removeMember(
  sql: Sql,
  { shopId, merchantId }: { readonly shopId: string; readonly merchantId: string },
  actor: Actor,
): Promise<void> {
  await transaction(sql, async (tx) => {
    const members = await lockMembers(tx, shopId);
    if (members.includes(merchantId)) refuseLastMember(members, merchantId);
    // Before the removal, so that the removed member gets the mail too.
    await mailMembers(tx, "member_removed", [{ of: shopId, about: { member_id: merchantId } }]);
    const [removed] = await tx<{ email: string }[]>`
      DELETE FROM directory.memberships m USING directory.merchants p
      WHERE m.merchant_id = ${merchantId} AND m.shop_id = ${shopId} AND p.id = m.merchant_id RETURNING p.email`;
    if (!removed) {
      throw new DirectoryError("UNKNOWN_MEMBER", `the merchant ${merchantId} is not a member of the shop ${shopId}`);
    }
    await recordAudit(tx, { action: "member_remove", shopId, merchantId, detail: removed }, actor);
  });
}

/**
 * The member with this email or id, for an operator who is about to remove her. The removal judges it again.
 * @throws {DirectoryError} UNKNOWN_SHOP, UNKNOWN_MEMBER, LAST_MEMBER
 */
export async function removableMember(sql: Sql, shopId: string, given: string): Promise<Member> {
  await requireShop(sql, shopId);
  const wanted = canonicalEmail(given);
  const members = await membersOfShop(sql, shopId);
  const member = members.find((each) => canonicalEmail(each.email) === wanted || each.merchantId === given);
  if (!member) throw new DirectoryError("UNKNOWN_MEMBER", `${JSON.stringify(given)} is not a member of this shop`);
  refuseLastMember(
    members.map(({ merchantId }) => merchantId),
    member.merchantId,
  );
  return member;
}
