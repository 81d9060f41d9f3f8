import { randomUUID } from "node:crypto";
import { type Actor, eraseNames, formerEmails, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { eraseMails } from "@partner-connect/mail";
import { DirectoryError } from "./directory-error.ts";
import { lockMembers } from "./members.ts";
import { lockMerchant } from "./merchants/merchant.ts";
import { deletePasskeys } from "./merchants/passkeys.ts";

/** Nobody has an address of this domain (RFC 2606). */
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
 * Takes all that names the merchant out of the account, and the account out of its shops. The row stays, as connections name who approved
 * them by its id. Nobody can sign in to it. In a transaction of its own, with its record, in which the
 * address leaves the audit log too. Returns the number of records that named it.
 * @throws {DirectoryError} LAST_MEMBER
 */
export async function eraseAccount(
  sql: Sql,
  id: string,
  detail: Readonly<Record<string, unknown>>,
  actor: Actor,
): Promise<number> {
  return await transaction(sql, async (tx) => {
    const { email } = await lockMerchant(tx, id);
    const shops = await tx<{ id: string }[]>`
      SELECT shop_id AS id FROM directory.memberships WHERE merchant_id = ${id} ORDER BY shop_id`;
    for (const shop of shops) await lockMembers(tx, shop.id);
    await refuseSoleMember(tx, id);
    await tx`DELETE FROM directory.memberships WHERE merchant_id = ${id}`;
    await tx`DELETE FROM directory.client_members WHERE merchant_id = ${id}`;
    await deletePasskeys(tx, id);
    await tx`DELETE FROM directory.merchant_identities WHERE merchant_id = ${id}`;
    // Links go to an address; another merchant may have a former one by now.
    const emails = [email, ...(await formerEmails(tx, id))];
    await tx`
      DELETE FROM directory.merchant_links l WHERE email = ANY (${emails}::text[])
      AND NOT EXISTS (SELECT FROM directory.merchants o WHERE lower(o.email) = l.email AND o.id <> ${id})`;
    await eraseMails(tx, { merchantId: id });
    await tx`
      UPDATE directory.merchants SET email = ${`${randomUUID()}@${ERASED}`}, name = 'Erased', status = 'disabled', language = NULL,
        session_epoch = session_epoch + 1, erased_at = now(), erase_requested_at = NULL
      WHERE id = ${id}`;
    await tx`SELECT directory.forget_password(${id})`;
    const records = await eraseNames(tx, "merchant", id);
    await recordAudit(
      tx,
      { action: "merchant_erase", merchantId: id, detail: { ...detail, audit_records: records } },
      actor,
    );
    return records;
  });
}

/**
 * Deletes a shop, with its record, and its names from the audit log; what refers to it in the directory goes with it. Returns the number of
 * records that named it. Its connections must be gone.
 */
export async function eraseShop(
  sql: Sql,
  shopId: string,
  detail: Readonly<Record<string, unknown>>,
  actor: Actor,
): Promise<number> {
  return await transaction(sql, async (tx) => {
    await eraseMails(tx, { shopId });
    const { count } = await tx`DELETE FROM directory.shops WHERE id = ${shopId}`;
    const records = await eraseNames(tx, "shop", shopId);
    if (count > 0) {
      await recordAudit(tx, { action: "shop_erase", shopId, detail: { ...detail, audit_records: records } }, actor);
    }
    return records;
  });
}

/**
 * Deletes a client and what was counted of it, with its record, and its names from the audit log; what refers to it goes with it. Returns
 * the number of records that named it. Its connections must be gone.
 */
export async function deleteClient(
  sql: Sql,
  clientId: string,
  detail: Readonly<Record<string, unknown>>,
  actor: Actor,
): Promise<number> {
  return await transaction(sql, async (tx) => {
    await tx`DELETE FROM oauth.client_activity WHERE client_id = ${clientId}`;
    await tx`DELETE FROM oauth.client_refusals WHERE client_id = ${clientId}`;
    await eraseMails(tx, { clientId });
    const { count } = await tx`DELETE FROM directory.clients WHERE client_id = ${clientId}`;
    const records = await eraseNames(tx, "client", clientId);
    if (count > 0) {
      await recordAudit(
        tx,
        { action: "client_delete", clientId, detail: { ...detail, audit_records: records } },
        actor,
      );
    }
    return records;
  });
}
