import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "./directory-error.ts";
import { displayName } from "./display-name.ts";
import { deleteMember, insertMember, lockMembers } from "./members.ts";
import { normalizeEmail } from "./merchants/email.ts";
import { accountColumns, type MerchantAccount, type Shop } from "./merchants/merchant.ts";
import { changeMerchant, emailTaken } from "./merchants/merchants.ts";
import { changeShop, requireShop, shopFields, unknownShop } from "./shops/shop.ts";

/**
 * Changes that the survey product makes through the internal API, under its own ids. Each function is idempotent; none sends a mail. Lock
 * order: merchants before shops.
 */

export interface ProductMerchant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Default: of a new merchant active, else as it is. */
  readonly status?: MerchantAccount["status"] | undefined;
}

interface Put<Subject> {
  readonly record: Subject;
  readonly isNew: boolean;
}

/** Creates the merchant, without a password, or changes what differs. @throws {DirectoryError} INVALID_EMAIL, INVALID_NAME, EMAIL_TAKEN, ERASURE_UNDER_WAY */
export async function putMerchant(sql: Sql, merchant: ProductMerchant, actor: Actor): Promise<Put<MerchantAccount>> {
  const { id, status } = merchant;
  const wanted = {
    email: normalizeEmail(merchant.email),
    name: displayName(merchant.name, "merchant"),
    ...(status && { status }),
  };
  const recordNew = (tx: Queries) => recordAudit(tx, { action: "merchant_create", merchantId: id }, actor);
  return await transaction(sql, async (tx) => {
    const [created] = await tx<MerchantAccount[]>`
      INSERT INTO directory.merchants (id, email, name, status, from_product)
      VALUES (${id}, ${wanted.email}, ${wanted.name}, ${status ?? "active"}, true)
      ON CONFLICT DO NOTHING RETURNING ${accountColumns(tx)}`;
    if (created) {
      await recordNew(tx);
      return { record: created, isNew: true };
    }
    const known = await lockKnown(tx, id);
    if (!known) throw emailTaken(wanted.email);
    if (!known.isErased) return { record: await changeMerchant(tx, known.merchant, wanted, actor), isNew: false };
    const [again] = await tx<MerchantAccount[]>`
      UPDATE directory.merchants
      SET email = ${wanted.email}, name = ${wanted.name}, status = ${status ?? "active"}, from_product = true, erased_at = NULL
      WHERE id = ${id} RETURNING ${accountColumns(tx)}`.catch((error) => {
      throw error.code === "23505" ? emailTaken(wanted.email) : error;
    });
    await recordNew(tx);
    return { record: again ?? known.merchant, isNew: true };
  });
}

/** Creates the shop, without members, or changes what differs. @throws {DirectoryError} INVALID_NAME, INVALID_PLAN, INVALID_DOMAIN, ERASURE_UNDER_WAY */
export async function putShop(
  sql: Sql,
  { id, ...given }: { readonly id: string } & Parameters<typeof shopFields>[0],
  actor: Actor,
): Promise<Put<Shop>> {
  const wanted = shopFields(given);
  const { name, domain, plan } = wanted;
  return await transaction(sql, async (tx) => {
    const [created] = await tx<Shop[]>`
      INSERT INTO directory.shops (id, name, domain, plan) VALUES (${id}, ${name}, ${domain}, ${plan})
      ON CONFLICT DO NOTHING RETURNING id, name, domain, plan`;
    if (created) {
      await recordAudit(tx, { action: "shop_create", shopId: id, detail: { name, plan } }, actor);
      return { record: created, isNew: true };
    }
    const [known] = await tx<(Shop & { isErasing: boolean })[]>`
      SELECT id, name, domain, plan, erase_requested_at IS NOT NULL AS "isErasing"
      FROM directory.shops WHERE id = ${id} FOR NO KEY UPDATE`;
    if (!known || known.isErasing) throw erasureUnderWay("shop", id);
    const { isErasing: _, ...before } = known;
    return { record: await changeShop(tx, before, wanted, actor), isNew: false };
  });
}

interface ProductMember {
  readonly shopId: string;
  readonly merchantId: string;
}

/** Makes the merchant a member of the shop. @throws {DirectoryError} UNKNOWN_MERCHANT, UNKNOWN_SHOP, ERASURE_UNDER_WAY */
export async function putMember(sql: Sql, { shopId, merchantId }: ProductMember, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const known = await lockKnown(tx, merchantId);
    if (!known || known.isErased) throw unknownMerchant(merchantId);
    await lockShop(tx, shopId);
    await insertMember(tx, shopId, known.merchant, actor);
  });
}

/** The merchant is no member from the next page on, also if no other is left. @throws {DirectoryError} UNKNOWN_MERCHANT, UNKNOWN_SHOP */
export async function endMember(sql: Sql, member: ProductMember, actor: Actor): Promise<void> {
  const { shopId, merchantId } = member;
  await transaction(sql, async (tx) => {
    const [merchant] = await tx`SELECT FROM directory.merchants WHERE id = ${merchantId} AND erased_at IS NULL`;
    if (!merchant) throw unknownMerchant(merchantId);
    await requireShop(tx, shopId);
    await lockMembers(tx, shopId);
    await deleteMember(tx, member, actor);
  });
}

/** A job of the back office. */
export interface Erasure {
  readonly what: "merchant" | "shop";
  readonly id: string;
  /** An actor's name. */
  readonly by: string;
}

/** Ends the merchant's sessions and memberships, and has the account erased. Nothing happens if there is none. */
export async function requestMerchantErasure(sql: Sql, id: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const [merchant] = await tx<MerchantAccount[]>`
      SELECT ${accountColumns(tx)} FROM directory.merchants WHERE id = ${id} AND erased_at IS NULL FOR NO KEY UPDATE`;
    if (!merchant) return;
    await changeMerchant(tx, merchant, { status: "disabled" }, actor);
    await tx`
      UPDATE directory.merchants SET erase_requested_at = coalesce(erase_requested_at, now()) WHERE id = ${id}`;
    await tx`DELETE FROM directory.memberships WHERE merchant_id = ${id}`;
    await queueErasure(tx, { what: "merchant", id, by: actor.name });
  });
}

/** Removes the shop's members, so that no app can be connected, and requests its erasure. False: unknown shop. */
export async function requestShopErasure(sql: Sql, id: string, actor: Actor): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    if (!(await markErasure(tx, id))) return false;
    await tx`DELETE FROM directory.memberships WHERE shop_id = ${id}`;
    await queueErasure(tx, { what: "shop", id, by: actor.name });
    return true;
  });
}

/** From now on the shop can't be put, until it is erased. False: there is none. */
export async function markErasure(sql: Queries, shopId: string): Promise<boolean> {
  const { count } = await sql`
    UPDATE directory.shops SET erase_requested_at = coalesce(erase_requested_at, now()) WHERE id = ${shopId}`;
  return count > 0;
}

async function queueErasure(tx: Queries, erasure: Erasure): Promise<void> {
  const { what, id } = erasure;
  await tx`SELECT back_office_jobs.add('erasure', ${tx.json(erasure as never)}, ${`${what} ${id}`})`;
}

/** Whether it was requested and has not ended. */
export async function isErasing(sql: Sql, { what, id }: Erasure): Promise<boolean> {
  const table = sql(what === "shop" ? "directory.shops" : "directory.merchants");
  return (await sql`SELECT FROM ${table} WHERE id = ${id} AND erase_requested_at IS NOT NULL`).length > 0;
}

/** Locks the shop until the transaction ends, so that its erasure waits. @throws {DirectoryError} UNKNOWN_SHOP, ERASURE_UNDER_WAY */
async function lockShop(tx: Queries, id: string): Promise<void> {
  const [shop] = await tx<{ isErasing: boolean }[]>`
    SELECT erase_requested_at IS NOT NULL AS "isErasing" FROM directory.shops WHERE id = ${id} FOR SHARE`;
  if (!shop) throw unknownShop(id);
  if (shop.isErasing) throw erasureUnderWay("shop", id);
}

/** The merchant's row, locked; null if there is none. @throws {DirectoryError} ERASURE_UNDER_WAY */
async function lockKnown(tx: Queries, id: string) {
  const [row] = await tx<(MerchantAccount & { isErasing: boolean; isErased: boolean })[]>`
    SELECT ${accountColumns(tx)}, erase_requested_at IS NOT NULL AS "isErasing", erased_at IS NOT NULL AS "isErased"
    FROM directory.merchants WHERE id = ${id} FOR NO KEY UPDATE`;
  if (!row) return null;
  const { isErasing, isErased, ...merchant } = row;
  if (isErasing) throw erasureUnderWay("merchant", id);
  return { merchant, isErased };
}

function unknownMerchant(id: string): DirectoryError {
  return new DirectoryError("UNKNOWN_MERCHANT", `there is no merchant ${JSON.stringify(id)}`);
}

function erasureUnderWay(what: string, id: string): DirectoryError {
  return new DirectoryError("ERASURE_UNDER_WAY", `the ${what} ${JSON.stringify(id)} is being erased; try again later`);
}
