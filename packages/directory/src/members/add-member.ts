import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { merchantOrNew, type NewAccount } from "../merchants/create-merchant.ts";
import { requireShop } from "../shops/shop.ts";
import { lockOwners, type Member } from "./member.ts";
import { refuseLastOwner } from "./remove-member.ts";
import { requireRole } from "./role.ts";
import { tellOwners } from "./tell-owners.ts";

export interface NewMember {
  readonly shopId: string;
  readonly email: string;
  readonly role: string;
  /** Makes an account if the address has none. Default: the merchant has one. */
  readonly create?: Omit<NewAccount, "email"> | undefined;
}

export interface AddedMember extends Member {
  /** Of the link that sets the password, where the account was made. Null: it is mailed; undefined: there was an account. */
  readonly token: string | null | undefined;
}

/**
 * Makes a merchant a member of the shop, or gives a member the other role: for operators. Indexes: merchants_by_email, memberships_pkey.
 * @throws {DirectoryError} INVALID_ROLE, UNKNOWN_SHOP, UNKNOWN_MERCHANT, INVALID_EMAIL, INVALID_NAME, ALREADY_MEMBER, LAST_OWNER
 */
export async function addMember(sql: Sql, member: NewMember, actor: Actor): Promise<AddedMember> {
  const { shopId } = member;
  const role = requireRole(member.role);
  return await transaction(sql, async (tx) => {
    await requireShop(tx, shopId);
    const { merchant, token } = await merchantOrNew(tx, member.email, member.create, actor);
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
      token,
    };
  });
}
