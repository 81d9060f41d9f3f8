import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";
import { DirectoryError } from "../directory-error.ts";
import { merchantOrNew, type NewAccount } from "../merchants/create-merchant.ts";
import { requireShop } from "../shops/shop.ts";
import type { Member } from "./member.ts";

export interface NewMember {
  readonly shopId: string;
  readonly email: string;
  /** Makes an account if the address has none. Default: the merchant has one. */
  readonly create?: Omit<NewAccount, "email"> | undefined;
}

export interface AddedMember extends Member {
  /** The token of the link that sets a new account's password. Null: mailed instead; undefined: the account existed. */
  readonly token: string | null | undefined;
}

/**
 * Makes a merchant a member of the shop; all its members get a mail. Indexes: merchants_by_email, memberships_pkey.
 * @throws {DirectoryError} UNKNOWN_SHOP, UNKNOWN_MERCHANT, INVALID_EMAIL, INVALID_NAME, ALREADY_MEMBER
 */
export async function addMember(sql: Sql, member: NewMember, actor: Actor): Promise<AddedMember> {
  const { shopId } = member;
  return await transaction(sql, async (tx) => {
    await requireShop(tx, shopId);
    const { merchant, token } = await merchantOrNew(tx, member.email, member.create, actor);
    const { id: merchantId, email, name } = merchant;
    const [added] = await tx<{ since: Date }[]>`
      INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${shopId}, ${merchantId})
      ON CONFLICT DO NOTHING RETURNING created_at AS since`;
    if (!added) throw new DirectoryError("ALREADY_MEMBER", `${email} is a member of this shop already`);
    await recordAudit(tx, { action: "member_add", shopId, merchantId, detail: { email } }, actor);
    await mailMembers(tx, "member_added", [{ of: shopId, about: { member_id: merchantId } }]);
    return { merchantId, email, name, since: added.since, token };
  });
}
