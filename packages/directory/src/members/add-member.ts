import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { canonicalEmail } from "../merchants/email.ts";
import type { Merchant } from "../merchants/merchant.ts";
import { requireShop } from "../shops/shop.ts";
import { lockOwners, type Member } from "./member.ts";
import { refuseLastOwner } from "./remove-member.ts";
import { requireRole } from "./role.ts";
import { tellOwners } from "./tell-owners.ts";

export interface NewMember {
  readonly shopId: string;
  /** Of a merchant who has an account. */
  readonly email: string;
  readonly role: string;
}

/**
 * Makes a merchant a member of the shop, or gives a member the other role: for operators. Indexes: merchants_by_email, memberships_pkey.
 * @throws {DirectoryError} INVALID_ROLE, UNKNOWN_SHOP, UNKNOWN_MERCHANT, ALREADY_MEMBER, LAST_OWNER
 */
export async function addMember(sql: Sql, member: NewMember, actor: Actor): Promise<Member> {
  const { shopId } = member;
  const role = requireRole(member.role);
  return await transaction(sql, async (tx) => {
    await requireShop(tx, shopId);
    const [merchant] = await tx<Merchant[]>`
      SELECT id, email, name FROM directory.merchants WHERE lower(email) = ${canonicalEmail(member.email)}`;
    if (!merchant) {
      throw new DirectoryError(
        "UNKNOWN_MERCHANT",
        `there is no merchant with the email ${JSON.stringify(member.email)}`,
      );
    }
    const owners = await lockOwners(tx, { shopId });
    const [before] = await tx<{ role: string }[]>`
      SELECT role FROM directory.memberships WHERE merchant_id = ${merchant.id} AND shop_id = ${shopId} FOR UPDATE`;
    if (before?.role === role) {
      throw new DirectoryError(
        "ALREADY_MEMBER",
        `${merchant.email} is ${role === "owner" ? "an owner" : "a member"} of this shop already`,
      );
    }
    if (before?.role === "owner") refuseLastOwner(owners, merchant.id);
    const [added] = await tx<{ since: Date }[]>`
      INSERT INTO directory.memberships (shop_id, merchant_id, role) VALUES (${shopId}, ${merchant.id}, ${role})
      ON CONFLICT (merchant_id, shop_id) DO UPDATE SET role = excluded.role
      RETURNING created_at AS since`;
    const detail = { email: merchant.email, role, ...(before && { from: before.role }) };
    await recordAudit(tx, { action: "member_add", shopId, merchantId: merchant.id, detail }, actor);
    await tellOwners(tx, "added", { shopId }, { memberId: merchant.id, role }, actor);
    return {
      merchantId: merchant.id,
      email: merchant.email,
      name: merchant.name,
      role,
      since: added?.since ?? new Date(),
    };
  });
}
