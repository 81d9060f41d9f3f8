import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { isBeingErased } from "./being-erased.ts";
import { DirectoryError } from "./directory-error.ts";
import { lockMembers } from "./members.ts";
import { changeMerchant, lockMerchant, lockProductMerchant } from "./merchants/merchants.ts";
import { deletePasskeys } from "./merchants/passkeys.ts";
import { findProductShop } from "./shops/shop.ts";

/**
 * Marks the product's merchant as being erased, with a record, and ends all sessions and all
 * memberships in shops and clients. A member of a client would join its new test shops. Returns
 * false if there is no such merchant. @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function startMerchantErasure(tx: Queries, id: string, actor: Actor) {
  const merchant = await lockProductMerchant(tx, id);
  if (!merchant || merchant.isErased) return false;
  await disableForErasure(tx, id, actor);
  if (!merchant.isErasing)
    await recordAudit(tx, { action: "merchant_erase_request", merchantId: id }, actor);
  await deleteMemberships(tx, id);
  return true;
}

/** Disables the merchant, and marks the account as being erased. */
export async function disableForErasure(sql: Queries, id: string, actor: Actor) {
  return await transaction(sql, async (tx) => {
    await tx`UPDATE directory.merchants SET erase_requested_at = now() WHERE id = ${id}`;
    return await changeMerchant(tx, await lockMerchant(tx, id), { status: "disabled" }, actor);
  });
}

async function deleteMemberships(tx: Queries, merchantId: string): Promise<void> {
  await tx`DELETE FROM directory.memberships WHERE merchant_id = ${merchantId}`;
  await tx`DELETE FROM directory.client_members WHERE merchant_id = ${merchantId}`;
}

/**
 * Like {@link markShopErasure}, for the product's shop. Returns false if there is no such shop.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function startShopErasure(tx: Queries, id: string, actor: Actor): Promise<boolean> {
  if (!(await findProductShop(tx, id))) return false;
  await markShopErasure(tx, id, actor);
  return true;
}

/**
 * Marks the shop as being erased, with a record, so that changes of it are refused until the erasure
 * is complete, and removes its members, so that no app can be connected.
 */
export async function markShopErasure(sql: Queries, shopId: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const { count } = await tx`
      UPDATE directory.shops SET erase_requested_at = now() WHERE id = ${shopId} AND erase_requested_at IS NULL`;
    if (count > 0) await recordAudit(tx, { action: "shop_erase_request", shopId }, actor);
    await lockMembers(tx, shopId);
    await tx`DELETE FROM directory.memberships WHERE shop_id = ${shopId}`;
  });
}

/**
 * A condition for `deleteInBatches` on the rows of a shop while it is being erased. If another
 * process has completed the erasure, a new shop with this id keeps its rows.
 */
export const rowsOfErasingShop = (shopId: string) => ({
  condition:
    "t.shop_id = $1 AND EXISTS (SELECT FROM directory.shops s WHERE s.id = $1 AND s.erase_requested_at IS NOT NULL)",
  value: shopId,
});

/** @throws {DirectoryError} LAST_MEMBER if the merchant is the only member of a shop */
export async function refuseSoleMember(sql: Queries, merchantId: string): Promise<void> {
  const shops = await sql<{ id: string }[]>`
    SELECT m.shop_id AS id FROM directory.memberships m
    WHERE m.merchant_id = ${merchantId} AND NOT EXISTS (
      SELECT FROM directory.memberships o WHERE o.shop_id = m.shop_id AND o.merchant_id <> m.merchant_id)
    ORDER BY 1`;
  if (shops.length === 0) return;
  const ids = shops.map(({ id }) => id).join(", ");
  const problem = `the merchant is the only member of ${ids}: erase the shop, or add another member first`;
  throw new DirectoryError("LAST_MEMBER", problem);
}

/**
 * Deletes the password of a merchant who is being erased. Call it before the transaction of the
 * other steps: the SQL function runs as the owner, and on Citus it would wait there for a row that
 * this role has locked.
 */
export async function erasePassword(sql: Sql, merchantId: string): Promise<void> {
  await sql`SELECT directory.forget_password(${merchantId})`;
}

/** The domain of erased addresses, which can't exist (RFC 2606). */
const ERASED = "erased.invalid";

/**
 * Anonymizes the account of a merchant who is being erased: replaces email and name, and deletes
 * passkeys, identities, links and memberships. The row stays, because connections refer to its id.
 * @throws {DirectoryError} LAST_MEMBER
 */
export async function anonymizeMerchant(tx: Queries, id: string): Promise<void> {
  const { status } = await lockMerchant(tx, id);
  const isErasing = status === "disabled" && (await isBeingErased(tx, "merchant", id));
  assert(isErasing, "the merchant was enabled, or erased and created again");
  const shops = await tx<{ id: string }[]>`
    SELECT shop_id AS id FROM directory.memberships WHERE merchant_id = ${id} ORDER BY shop_id`;
  for (const shop of shops) await lockMembers(tx, shop.id);
  await refuseSoleMember(tx, id);
  await deleteMemberships(tx, id);
  await deletePasskeys(tx, id);
  await tx`DELETE FROM directory.merchant_identities WHERE merchant_id = ${id}`;
  await tx`DELETE FROM directory.merchant_links WHERE merchant_id = ${id}`;
  await tx`
    UPDATE directory.merchants SET email = ${`${randomUUID()}@${ERASED}`}, name = '–', status = 'disabled', language = NULL,
      session_epoch = session_epoch + 1, erased_at = now(), erase_requested_at = NULL
    WHERE id = ${id}`;
}

/**
 * Deletes a shop that is being erased, and what refers to it in the directory. Its connections must
 * have been deleted. Returns false if there is no such shop.
 */
export async function deleteShop(tx: Queries, id: string): Promise<boolean> {
  const { count } = await tx`
    DELETE FROM directory.shops WHERE id = ${id} AND erase_requested_at IS NOT NULL`;
  return count > 0;
}

/**
 * Deletes a client, and what refers to it. Its connections must have been deleted. Returns false if
 * there is no such client.
 */
export async function deleteClient(tx: Queries, clientId: string): Promise<boolean> {
  return (await tx`DELETE FROM directory.clients WHERE client_id = ${clientId}`).count > 0;
}
