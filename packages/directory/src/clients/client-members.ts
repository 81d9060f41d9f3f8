import { type Actor, recordAudit } from "@partner-connect/audit";
import {
  type ListPage,
  listPageSql,
  type Queries,
  type Sql,
  transaction,
} from "@partner-connect/database";
import { mailMembers } from "@partner-connect/mail";
import { DirectoryError } from "../directory-error.ts";
import type { AddedMember, Member, MemberToBe } from "../members.ts";
import { findOrCreateMerchant } from "../merchants/create-merchant.ts";
import type { MerchantAccount } from "../merchants/merchants.ts";
import { addToTestShops, removeFromTestShops } from "../shops/test-shop.ts";
import { type ClientSummary, clientColumns, lockClient } from "./clients.ts";

/**
 * The members of a client, by merchant id. Indexes: client_members_by_client, merchants_pkey.
 */
export async function membersOfClient(
  sql: Sql,
  clientId: string,
  page: ListPage = {},
): Promise<Member[]> {
  return await sql<Member[]>`
    SELECT m.merchant_id AS "merchantId", p.email, p.name, m.created_at AS since
    FROM directory.client_members m JOIN directory.merchants p ON p.id = m.merchant_id
    WHERE m.client_id = ${clientId} ${listPageSql(sql, page, "p.id", ["p.email", "p.name"])}`;
}

/**
 * The clients that the account belongs to, by name. With an id, only that client, if the account
 * belongs to it. Indexes: client_members_pkey, clients_pkey.
 */
export async function clientsOfMember(
  sql: Sql,
  merchantId: string,
  clientId?: string,
): Promise<ClientSummary[]> {
  return await sql<ClientSummary[]>`
    SELECT ${clientColumns(sql)} FROM directory.client_members m JOIN directory.clients c ON c.client_id = m.client_id
    WHERE m.merchant_id = ${merchantId} ${clientId === undefined ? sql`` : sql`AND m.client_id = ${clientId}`}
    ORDER BY c.name, c.client_id`;
}

/**
 * Like `lockMembership`, for a client. If the transaction also changes the client, call `lockClient`
 * first, as a removal of a member does.
 * Index: client_members_pkey.
 */
export async function lockClientMembership(
  tx: Queries,
  merchant: MerchantAccount,
  clientId: string,
): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    SELECT directory.lock_client_membership(${merchant.id}, ${clientId}, ${merchant.sessionEpoch}) AS locked`;
  return row?.locked === true;
}

/**
 * Makes a merchant a member of the client and of its test shops; all members get a mail. Indexes:
 * merchants_by_email, client_members_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, UNKNOWN_MERCHANT, INVALID_EMAIL, INVALID_NAME,
 * ALREADY_MEMBER
 */
export async function addClientMember(
  sql: Sql,
  { clientId, email, create }: { readonly clientId: string } & MemberToBe,
  actor: Actor,
): Promise<AddedMember> {
  return await transaction(sql, async (tx) => {
    const { merchant, token } = await findOrCreateMerchant(tx, email, create, actor);
    await lockClient(tx, clientId);
    const merchantId = merchant.id;
    const [added] = await tx<{ since: Date }[]>`
      INSERT INTO directory.client_members (client_id, merchant_id) VALUES (${clientId}, ${merchantId})
      ON CONFLICT DO NOTHING RETURNING created_at AS since`;
    if (!added) {
      const problem = `${merchant.email} belongs to this client already`;
      throw new DirectoryError("ALREADY_MEMBER", problem);
    }
    await addToTestShops(tx, clientId, merchantId);
    const detail = { email: merchant.email };
    await recordAudit(tx, { action: "partner_add", clientId, merchantId, detail }, actor);
    await mailClientMembers(tx, "client_member_added", clientId, actor, { member_id: merchantId });
    return { merchantId, email: merchant.email, name: merchant.name, since: added.since, token };
  });
}

/**
 * Removes a merchant from the client and its test shops, effective from the next page; all members
 * get a mail. Index: client_members_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, UNKNOWN_MEMBER
 */
export async function removeClientMember(
  sql: Sql,
  { clientId, merchantId }: { readonly clientId: string; readonly merchantId: string },
  actor: Actor,
): Promise<void> {
  await transaction(sql, async (tx) => {
    await lockClient(tx, clientId);
    // Before the removal, so that the removed member gets the mail too.
    await mailClientMembers(tx, "client_member_removed", clientId, actor, {
      member_id: merchantId,
    });
    const [removed] = await tx<{ email: string }[]>`
      DELETE FROM directory.client_members m USING directory.merchants p
      WHERE m.merchant_id = ${merchantId} AND m.client_id = ${clientId} AND p.id = m.merchant_id RETURNING p.email`;
    if (!removed) {
      const problem = `the merchant ${merchantId} does not belong to the client ${clientId}`;
      throw new DirectoryError("UNKNOWN_MEMBER", problem);
    }
    await removeFromTestShops(tx, clientId, merchantId);
    const detail = { email: removed.email };
    await recordAudit(tx, { action: "partner_remove", clientId, merchantId, detail }, actor);
  });
}

/**
 * Queues a mail to all members of the client, with the id of the merchant who acts, or null if the
 * actor is no merchant.
 */
export async function mailClientMembers(
  tx: Queries,
  kind: Parameters<typeof mailMembers>[1],
  clientId: string,
  actor: Actor,
  about: { readonly member_id?: string } = {},
): Promise<void> {
  const by = /^merchant:(.*)$/.exec(actor.name)?.[1] ?? null;
  await mailMembers(tx, kind, [{ of: clientId, about: { client_id: clientId, by, ...about } }]);
}
