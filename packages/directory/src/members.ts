import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";
import { lockUnlessErasing } from "./being-erased.ts";
import { DirectoryError, unknownIdError } from "./directory-error.ts";
import { findOrCreateMerchant, type NewAccount } from "./merchants/create-merchant.ts";
import { canonicalEmail } from "./merchants/email.ts";
import { lockProductMerchant, type Merchant, type MerchantAccount } from "./merchants/merchants.ts";
import { findProductShop, requireShop } from "./shops/shop.ts";

/** A merchant who belongs to a shop or a client, with the same rights as every other member. */
export interface Member {
  readonly merchantId: string;
  readonly email: string;
  readonly name: string;
  readonly since: Date;
}

interface Membership {
  readonly shopId: string;
  readonly merchantId: string;
}

export interface MemberToBe {
  readonly email: string;
  /** The account to create if the address has none. By default the address must have one. */
  readonly create?: Omit<NewAccount, "email"> | undefined;
}

export interface AddedMember extends Member {
  /**
   * The token of the link that sets a new account's password. Null if the link is mailed, undefined
   * if the account existed.
   */
  readonly token: string | null | undefined;
}

/** The members of a shop, by name. Indexes: memberships_by_shop, merchants_pkey. */
export async function membersOfShop(sql: Sql, shopId: string): Promise<readonly Member[]> {
  return await sql<Member[]>`
    SELECT m.merchant_id AS "merchantId", p.email, p.name, m.created_at AS since
    FROM directory.memberships m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.shop_id = ${shopId} ORDER BY p.name, p.id`;
}

/**
 * Locks the memberships of a shop until the transaction ends, and returns the members' ids. With
 * this lock the second of two concurrent removals sees the result of the first. Index:
 * memberships_by_shop.
 */
export async function lockMembers(tx: Queries, shopId: string): Promise<string[]> {
  const members = await tx<{ id: string }[]>`
    SELECT merchant_id AS id FROM directory.memberships WHERE shop_id = ${shopId} ORDER BY merchant_id FOR UPDATE`;
  return members.map(({ id }) => id);
}

/** @throws {DirectoryError} LAST_MEMBER if no member would be left to approve or disconnect apps */
function refuseLastMember(members: readonly string[], merchantId: string): void {
  if (members.some((id) => id !== merchantId)) return;
  const problem = "a shop keeps one member at least; add another one first";
  throw new DirectoryError("LAST_MEMBER", problem);
}

/**
 * Returns true if the merchant is an active member of the shop whose sessions have not been ended
 * since the account was read. Until the transaction ends, a removal of the member, a disable or an
 * end of the sessions waits. Indexes: memberships_pkey, merchants_pkey.
 */
export async function lockMembership(tx: Queries, merchant: MerchantAccount, shopId: string) {
  const [row] = await tx<{ locked: boolean }[]>`
    SELECT directory.lock_membership(${merchant.id}, ${shopId}, ${merchant.sessionEpoch}) AS locked`;
  return row?.locked === true;
}

/**
 * Makes a merchant a member of the shop; all its members get a mail. Indexes: merchants_by_email,
 * memberships_pkey.
 * @throws {DirectoryError} UNKNOWN_SHOP, UNKNOWN_MERCHANT, INVALID_EMAIL, INVALID_NAME,
 * ALREADY_MEMBER, ERASURE_UNDER_WAY
 */
export async function addMember(
  sql: Sql,
  { shopId, ...member }: { readonly shopId: string } & MemberToBe,
  actor: Actor,
): Promise<AddedMember> {
  return await transaction(sql, async (tx) => {
    await lockUnlessErasing(tx, "shop", shopId);
    const { merchant, token } = await findOrCreateMerchant(tx, member.email, member.create, actor);
    const { id: merchantId, email, name } = merchant;
    const since = await insertMember(tx, shopId, merchant, actor);
    if (since === null)
      throw new DirectoryError("ALREADY_MEMBER", `${email} is a member of this shop already`);
    await mailMembers(tx, "member_added", [{ of: shopId, about: { member_id: merchantId } }]);
    return { merchantId, email, name, since, token };
  });
}

/**
 * Inserts the membership with a record, and returns the time; null if the merchant already is a
 * member. Index: memberships_pkey.
 */
async function insertMember(
  tx: Queries,
  shopId: string,
  { id: merchantId, email }: Pick<Merchant, "id" | "email">,
  actor: Actor,
): Promise<Date | null> {
  const [added] = await tx<{ since: Date }[]>`
    INSERT INTO directory.memberships (shop_id, merchant_id) VALUES (${shopId}, ${merchantId})
    ON CONFLICT DO NOTHING RETURNING created_at AS since`;
  if (!added) return null;
  await recordAudit(tx, { action: "member_add", shopId, merchantId, detail: { email } }, actor);
  return added.since;
}

/**
 * Removes a merchant from the shop, effective from the next page that they open; all members get a
 * mail. Connections that they approved stay, because they are the shop's. Index: memberships_pkey.
 * @throws {DirectoryError} LAST_MEMBER, UNKNOWN_MEMBER
 */
export async function removeMember(sql: Sql, { shopId, merchantId }: Membership, actor: Actor) {
  await transaction(sql, async (tx) => {
    const members = await lockMembers(tx, shopId);
    if (members.includes(merchantId)) refuseLastMember(members, merchantId);
    // Before the removal, so that the removed member gets the mail too.
    await mailMembers(tx, "member_removed", [{ of: shopId, about: { member_id: merchantId } }]);
    if (await deleteMember(tx, { shopId, merchantId }, actor)) return;
    const problem = `the merchant ${merchantId} is not a member of the shop ${shopId}`;
    throw new DirectoryError("UNKNOWN_MEMBER", problem);
  });
}

/**
 * Makes a merchant of the survey product a member of the shop, without a mail. Idempotent. Locks the
 * shop, so that its erasure waits.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, UNKNOWN_SHOP, ERASURE_UNDER_WAY, NOT_OF_PRODUCT
 */
export async function putMember(sql: Sql, { shopId, merchantId }: Membership, actor: Actor) {
  await transaction(sql, async (tx) => {
    const merchant = await lockProductMerchant(tx, merchantId);
    if (!merchant || merchant.isErased) throw unknownIdError("merchant", merchantId);
    await lockUnlessErasing(tx, "merchant", merchantId);
    await findProductShop(tx, shopId); // throws for a partner's test shop
    await lockUnlessErasing(tx, "shop", shopId);
    await insertMember(tx, shopId, merchant, actor);
  });
}

/**
 * Ends a membership in the product's shop, even the last one, without a mail. Idempotent.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function endMembership(sql: Sql, member: Membership, actor: Actor): Promise<void> {
  const { shopId } = member;
  await transaction(sql, async (tx) => {
    await findProductShop(tx, shopId);
    await lockMembers(tx, shopId);
    await deleteMember(tx, member, actor);
  });
}

/** Deletes the membership with a record. False if there is none. Index: memberships_pkey. */
async function deleteMember(tx: Queries, { shopId, merchantId }: Membership, actor: Actor) {
  const [removed] = await tx<{ email: string }[]>`
    DELETE FROM directory.memberships m USING directory.merchants p
    WHERE m.merchant_id = ${merchantId} AND m.shop_id = ${shopId} AND p.id = m.merchant_id RETURNING p.email`;
  if (removed)
    await recordAudit(tx, { action: "member_remove", shopId, merchantId, detail: removed }, actor);
  return removed !== undefined;
}

/**
 * Finds the member with this email or id, for an operator who is then asked to confirm the removal.
 * The removal repeats these checks.
 * @throws {DirectoryError} UNKNOWN_SHOP, UNKNOWN_MEMBER, LAST_MEMBER
 */
export async function removableMember(sql: Sql, shopId: string, given: string): Promise<Member> {
  await requireShop(sql, shopId);
  const wanted = canonicalEmail(given);
  const members = await membersOfShop(sql, shopId);
  const member = members.find(
    (each) => canonicalEmail(each.email) === wanted || each.merchantId === given,
  );
  if (!member) {
    const problem = `${JSON.stringify(given)} is not a member of this shop`;
    throw new DirectoryError("UNKNOWN_MEMBER", problem);
  }
  const ids = members.map(({ merchantId }) => merchantId);
  refuseLastMember(ids, member.merchantId);
  return member;
}
