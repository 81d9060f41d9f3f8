import type { Queries, Sql } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import type { MerchantAccount } from "../merchants/merchant.ts";
import { type Group, groupTerms } from "./group.ts";
import type { Role } from "./role.ts";

/** A merchant who belongs to a shop. */
export interface Member {
  readonly merchantId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly since: Date;
}

/** The members of a shop, owners first, then by name. Indexes: memberships_by_shop, merchants_pkey. */
export async function membersOfShop(sql: Sql, shopId: string): Promise<readonly Member[]> {
  return (await membersOfShops(sql, [shopId])).get(shopId) ?? [];
}

/** The members of each of these shops, by the shop's id. A shop without any is missing. */
export async function membersOfShops(
  sql: Sql,
  shopIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Member[]>> {
  const rows = await sql<(Member & { shopId: string })[]>`
    SELECT m.shop_id AS "shopId", m.merchant_id AS "merchantId", p.email, p.name, m.role, m.created_at AS since
    FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.shop_id = ANY (${[...shopIds]}::text[]) ORDER BY m.role DESC, p.name, p.id`;
  const members = new Map<string, Member[]>();
  for (const { shopId, ...member } of rows) {
    const known = members.get(shopId);
    if (known) known.push(member);
    else members.set(shopId, [member]);
  }
  return members;
}

/**
 * The ids of the owners, locked until the transaction ends. Whatever takes an owner away, or acts in an owner's name,
 * begins with this lock, so that of two removals at once the second one sees what the first one left. Index: memberships_by_shop.
 */
export async function lockOwners(sql: Queries, group: Group): Promise<string[]> {
  const { members, column, id } = groupTerms(sql, group);
  const owners = await sql<{ id: string }[]>`
    SELECT merchant_id AS id FROM ${members}
    WHERE ${column} = ${id} AND role = 'owner' ORDER BY merchant_id FOR UPDATE`;
  return owners.map(({ id }) => id);
}

/** Locks the owners. @throws {DirectoryError} NOT_AN_OWNER unless the merchant is one of them */
export async function requireOwner(sql: Queries, group: Group, merchantId: string): Promise<string[]> {
  const owners = await lockOwners(sql, group);
  if (owners.includes(merchantId)) return owners;
  const { noun, id } = groupTerms(sql, group);
  throw new DirectoryError("NOT_AN_OWNER", `the merchant ${merchantId} is not an owner of the ${noun} ${id}`);
}

/**
 * Whether the merchant is a member of the shop now, and none of her sessions has ended since the account was read. It takes no lock: on a
 * cluster that would need every node. Indexes: memberships_pkey, merchants_pkey.
 */
export async function isMember(sql: Queries, merchant: MerchantAccount, shopId: string): Promise<boolean> {
  const rows = await sql`
    SELECT FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.merchant_id = ${merchant.id} AND m.shop_id = ${shopId}
      AND p.status = 'active' AND p.session_epoch = ${merchant.sessionEpoch}`;
  return rows.length === 1;
}
