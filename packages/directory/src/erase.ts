import { randomUUID } from "node:crypto";
import { type Actor, eraseNames, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, type Transaction, transaction } from "@partner-connect/database";
import { eraseMails } from "@partner-connect/mail";
import { DirectoryError } from "./directory-error.ts";
import { lockMembers } from "./members.ts";
import { changeMerchant, lockMerchant, lockProductMerchant } from "./merchants/merchants.ts";
import { deletePasskeys } from "./merchants/passkeys.ts";
import { findProductShop } from "./shops/shop.ts";

/** A job of the back office. */
export interface Erasure {
  readonly what: "merchant" | "shop";
  readonly id: string;
  /** The actor's name, and the request's id. */
  readonly by: string;
  readonly requestId?: string | undefined;
}

/**
 * Ends the sessions and memberships of the product's merchant, and has the account erased. Nothing
 * happens if there is none.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function requestMerchantErasure(sql: Sql, id: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const merchant = await lockProductMerchant(tx, id);
    if (!merchant || merchant.isErased) return;
    await changeMerchant(tx, merchant, { status: "disabled" }, actor);
    await tx`UPDATE directory.merchants SET erase_requested_at = now() WHERE id = ${id}`;
    if (!merchant.isErasing)
      await recordAudit(tx, { action: "merchant_erase_request", merchantId: id }, actor);
    await tx`DELETE FROM directory.memberships WHERE merchant_id = ${id}`;
    await queueErasure(tx, "merchant", id, actor);
  });
}

/**
 * Removes the members of the product's shop, so that no app can be connected, and requests its
 * erasure. False: unknown shop.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function requestShopErasure(sql: Sql, id: string, actor: Actor): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    if (!(await findProductShop(tx, id))) return false;
    await markErasure(tx, id, actor);
    await tx`DELETE FROM directory.memberships WHERE shop_id = ${id}`;
    await queueErasure(tx, "shop", id, actor);
    return true;
  });
}

/**
 * Marks the shop, with a record, so that the internal API refuses to create or change it until it
 * is erased.
 */
export async function markErasure(sql: Queries, shopId: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const { count } = await tx`
      UPDATE directory.shops SET erase_requested_at = now() WHERE id = ${shopId} AND erase_requested_at IS NULL`;
    if (count > 0) await recordAudit(tx, { action: "shop_erase_request", shopId }, actor);
  });
}

async function queueErasure(
  tx: Queries,
  what: Erasure["what"],
  id: string,
  actor: Actor,
): Promise<void> {
  const erasure: Erasure = { what, id, by: actor.name, requestId: actor.requestId };
  await tx`SELECT back_office_jobs.add('erasure', ${tx.json(erasure as never)}, ${`${what} ${id}`})`;
}

/** True between the request of an erasure and its end. */
export async function isErasing(sql: Sql, { what, id }: Erasure): Promise<boolean> {
  const table = sql(what === "shop" ? "directory.shops" : "directory.merchants");
  return (
    (await sql`SELECT FROM ${table} WHERE id = ${id} AND erase_requested_at IS NOT NULL`).length > 0
  );
}

type Detail = Readonly<Record<string, unknown>>;

/** A domain without addresses (RFC 2606). */
const ERASED = "erased.invalid";

/** @throws {DirectoryError} LAST_MEMBER if a shop would have no member */
export async function refuseSoleMember(sql: Queries, merchantId: string): Promise<void> {
  const shops = await sql<{ id: string }[]>`
    SELECT m.shop_id AS id FROM directory.memberships m
    WHERE m.merchant_id = ${merchantId} AND NOT EXISTS (
      SELECT FROM directory.memberships o WHERE o.shop_id = m.shop_id AND o.merchant_id <> m.merchant_id)
    ORDER BY 1`;
  if (shops.length === 0) return;
  const ids = shops.map(({ id }) => id).join(", ");
  throw new DirectoryError(
    "LAST_MEMBER",
    `the merchant is the only member of ${ids}: erase the shop, or add another member first`,
  );
}

/**
 * Removes the names and the password of a disabled merchant from the account, and the account from
 * its shops. The row stays, because connections have its id, and can't sign in. The address leaves
 * the audit log too. Returns the number of records that named the merchant.
 * @throws {DirectoryError} LAST_MEMBER: only the password is gone then
 */
export async function eraseAccount(
  sql: Sql,
  id: string,
  detail: Detail,
  actor: Actor,
): Promise<number> {
  // The function runs as the owner. Inside the transaction, on Citus, it would wait for the row
  // that this role has locked.
  await sql`SELECT directory.forget_password(${id})`;
  return await transaction(sql, async (tx) => {
    await lockMerchant(tx, id);
    const shops = await tx<{ id: string }[]>`
      SELECT shop_id AS id FROM directory.memberships WHERE merchant_id = ${id} ORDER BY shop_id`;
    for (const shop of shops) await lockMembers(tx, shop.id);
    await refuseSoleMember(tx, id);
    await tx`DELETE FROM directory.memberships WHERE merchant_id = ${id}`;
    await tx`DELETE FROM directory.client_members WHERE merchant_id = ${id}`;
    await deletePasskeys(tx, id);
    await tx`DELETE FROM directory.merchant_identities WHERE merchant_id = ${id}`;
    await tx`DELETE FROM directory.merchant_links WHERE merchant_id = ${id}`;
    await eraseMails(tx, { merchantId: id });
    await tx`
      UPDATE directory.merchants SET email = ${`${randomUUID()}@${ERASED}`}, name = 'Erased', status = 'disabled', language = NULL,
        session_epoch = session_epoch + 1, erased_at = now(), erase_requested_at = NULL
      WHERE id = ${id}`;
    return await eraseRecords(tx, { what: "merchant", id, detail }, actor);
  });
}

/**
 * Deletes a shop that is being erased, with its record, and its names from the audit log; what
 * refers to it in the directory goes with it. Returns the number of records that named it. Its
 * connections must be gone.
 */
export async function eraseShop(
  sql: Sql,
  shopId: string,
  detail: Detail,
  actor: Actor,
): Promise<number> {
  return await transaction(sql, async (tx) => {
    const { count } = await tx`
      DELETE FROM directory.shops WHERE id = ${shopId} AND erase_requested_at IS NOT NULL`;
    if (count === 0) return 0; // by another process; a new shop of this id keeps its names
    await eraseMails(tx, { shopId });
    return await eraseRecords(tx, { what: "shop", id: shopId, detail }, actor);
  });
}

/**
 * Deletes a client and what was counted of it, with its record, and its names from the audit log;
 * what refers to it goes with it. Returns the number of records that named it. Its connections must
 * be gone.
 */
export async function deleteClient(
  sql: Sql,
  clientId: string,
  detail: Detail,
  actor: Actor,
): Promise<number> {
  return await transaction(sql, async (tx) => {
    await tx`DELETE FROM oauth.client_activity WHERE client_id = ${clientId}`;
    await tx`DELETE FROM oauth.client_refusals WHERE client_id = ${clientId}`;
    await eraseMails(tx, { clientId });
    const { count } = await tx`DELETE FROM directory.clients WHERE client_id = ${clientId}`;
    return await eraseRecords(tx, { what: "client", id: clientId, detail }, count > 0 && actor);
  });
}

/**
 * Deletes its names from the audit log, and records its erasure by the actor. Returns the number of
 * records that named it.
 */
async function eraseRecords(
  tx: Transaction,
  {
    what,
    id,
    detail,
  }: {
    readonly what: "merchant" | "shop" | "client";
    readonly id: string;
    readonly detail: Detail;
  },
  actor: Actor | false,
): Promise<number> {
  const records = await eraseNames(tx, what, id);
  const event = {
    merchant: { action: "merchant_erase", merchantId: id },
    shop: { action: "shop_erase", shopId: id },
    client: { action: "client_delete", clientId: id },
  } as const;
  if (actor)
    await recordAudit(tx, { ...event[what], detail: { ...detail, audit_records: records } }, actor);
  return records;
}
