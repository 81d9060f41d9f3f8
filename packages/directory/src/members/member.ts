import type { Queries, Sql } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import type { MerchantAccount } from "../merchants/merchant.ts";

/** A merchant who belongs to a shop. All members may do the same. */
export interface Member {
  readonly merchantId: string;
  readonly email: string;
  readonly name: string;
  readonly since: Date;
}

/** The members of a shop, by name. Indexes: memberships_by_shop, merchants_pkey. */
export async function membersOfShop(sql: Sql, shopId: string): Promise<readonly Member[]> {
  return await sql<Member[]>`
    SELECT m.merchant_id AS "merchantId", p.email, p.name, m.created_at AS since
    FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.shop_id = ${shopId} ORDER BY p.name, p.id`;
}

/**
 * The ids of the members, locked until the transaction ends. A removal begins with this lock, so that of two at once the second one sees
 * what the first one left. Index: memberships_by_shop.
 */
export async function lockMembers(tx: Queries, shopId: string): Promise<string[]> {
  const members = await tx<{ id: string }[]>`
    SELECT merchant_id AS id FROM directory.memberships WHERE shop_id = ${shopId} ORDER BY merchant_id FOR UPDATE`;
  return members.map(({ id }) => id);
}

/** @throws {DirectoryError} LAST_MEMBER if no member would be left to approve or disconnect apps */
export function refuseLastMember(members: readonly string[], merchantId: string): void {
  if (members.some((id) => id !== merchantId)) return;
  throw new DirectoryError("LAST_MEMBER", "a shop keeps one member at least; add another one first");
}

/**
 * Whether the merchant is an active member of the shop, and none of her sessions has ended since the account was read. It stays so until
 * the transaction ends: a removal, a disable or the end of her sessions waits for that. Indexes: memberships_pkey, merchants_pkey.
 */
export async function lockMembership(tx: Queries, merchant: MerchantAccount, shopId: string): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    SELECT directory.lock_membership(${merchant.id}, ${shopId}, ${merchant.sessionEpoch}) AS locked`;
  return row?.locked === true;
}
