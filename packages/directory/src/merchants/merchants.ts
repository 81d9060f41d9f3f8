import assert from "node:assert/strict";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type ListPage, listPage, type Queries, type Sql, transaction } from "@partner-connect/database";
import { changesOf } from "../changes-of.ts";
import { DirectoryError, erasureUnderWay } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { endResetLinks } from "../passwords/set-password.ts";
import { normalizeEmail } from "./email.ts";
import { accountColumns, lockMerchant, type MerchantAccount, raiseEpoch, requireMerchant } from "./merchant.ts";

/** A merchant as operators see the account. */
export interface MerchantDetails extends MerchantAccount {
  readonly createdAt: Date;
  /** Null: not since the account was made. */
  readonly passwordChangedAt: Date | null;
  readonly passkeys: number;
  readonly shops: readonly { readonly id: string; readonly name: string }[];
}

/** Merchants, oldest first. */
export async function listMerchants(
  sql: Sql,
  { status, ...page }: ListPage & { readonly status?: MerchantAccount["status"] | undefined } = {},
): Promise<MerchantDetails[]> {
  return await sql<MerchantDetails[]>`
    SELECT ${details(sql)} FROM directory.merchants m WHERE ${status === undefined ? sql`true` : sql`m.status = ${status}`}
    ${listPage(sql, page, "m.id", ["m.email", "m.name"])}`;
}

/** Index: merchants_by_email. @throws {DirectoryError} UNKNOWN_MERCHANT */
export async function showMerchant(sql: Sql, email: string): Promise<MerchantDetails> {
  const { id } = await requireMerchant(sql, email);
  const [merchant] = await sql<MerchantDetails[]>`SELECT ${details(sql)} FROM directory.merchants m WHERE id = ${id}`;
  assert(merchant, "merchants are never deleted");
  return merchant;
}

function details(sql: Sql) {
  return sql`${accountColumns(sql)}, created_at AS "createdAt", password_changed_at AS "passwordChangedAt",
    (SELECT count(*)::float8 FROM directory.passkeys k WHERE k.merchant_id = m.id) AS passkeys,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) ORDER BY s.name, s.id)
              FROM directory.memberships b JOIN directory.shops s ON s.id = b.shop_id
              WHERE b.merchant_id = m.id), '[]') AS shops`;
}

/** Ends all sessions of the merchant, in every browser. Index: merchants_pkey. */
export async function endSessions(sql: Sql, merchantId: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    await lockMerchant(tx, merchantId);
    await raiseEpoch(tx, merchantId);
    await recordAudit(tx, { action: "merchant_sign_out_everywhere", merchantId }, actor);
  });
}

/** Ends all sessions of all merchants. @returns how many merchants there are */
export async function endAllSessions(sql: Sql, actor: Actor): Promise<number> {
  return await transaction(sql, async (tx) => {
    const { count } = await tx`UPDATE directory.merchants SET session_epoch = session_epoch + 1`;
    await recordAudit(tx, { action: "merchant_end_all_sessions", detail: { merchants: count } }, actor);
    return count;
  });
}

/**
 * Gives a merchant another address to sign in with. Links to reset the password that were sent to the former address end; sessions stay valid.
 * A change to the same address changes nothing. Index: merchants_by_email.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, INVALID_EMAIL, EMAIL_TAKEN
 */
export async function updateEmail(sql: Sql, from: string, to: string, actor: Actor): Promise<MerchantAccount> {
  return await change(sql, from, { email: normalizeEmail(to) }, actor);
}

/**
 * Disables or enables a merchant. A disabled one can't sign in, and all sessions and links to reset the password end. The connections
 * that the merchant approved are the shops' and stay.
 * @throws {DirectoryError} UNKNOWN_MERCHANT
 */
export async function setMerchantStatus(
  sql: Sql,
  email: string,
  status: MerchantAccount["status"],
  actor: Actor,
): Promise<MerchantAccount> {
  return await change(sql, email, { status }, actor);
}

async function change(sql: Sql, email: string, to: MerchantChange, actor: Actor): Promise<MerchantAccount> {
  const { id } = await requireMerchant(sql, email);
  return await transaction(sql, async (tx) => await changeMerchant(tx, await lockMerchant(tx, id), to, actor));
}

export interface ProductMerchant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Default: a new merchant is active, another one stays as it is. */
  readonly status?: MerchantAccount["status"] | undefined;
}

/**
 * Creates a merchant of the survey product under its id, without a password or a mail, or changes what differs. Idempotent.
 * @throws {DirectoryError} INVALID_EMAIL, INVALID_NAME, EMAIL_TAKEN, ERASURE_UNDER_WAY
 */
export async function putMerchant(
  sql: Sql,
  { id, status, ...given }: ProductMerchant,
  actor: Actor,
): Promise<{ readonly record: MerchantAccount; readonly isNew: boolean }> {
  const wanted = { email: normalizeEmail(given.email), name: displayName(given.name, "merchant") };
  const { email, name } = wanted;
  return await transaction(sql, async (tx) => {
    let [record] = await tx<MerchantAccount[]>`
      INSERT INTO directory.merchants (id, email, name, status, from_product)
      VALUES (${id}, ${email}, ${name}, ${status ?? "active"}, true)
      ON CONFLICT DO NOTHING RETURNING ${accountColumns(tx)}`;
    if (!record) {
      const known = await lockKnown(tx, id);
      if (!known) throw emailTaken(email);
      const { isErased, ...before } = known;
      const to = { ...wanted, ...(status && { status }) };
      if (!isErased) return { record: await changeMerchant(tx, before, to, actor), isNew: false };
      [record] = await tx<MerchantAccount[]>`
        UPDATE directory.merchants
        SET email = ${email}, name = ${name}, status = ${status ?? "active"}, from_product = true, erased_at = NULL
        WHERE id = ${id} RETURNING ${accountColumns(tx)}`.catch(ifTaken(email));
    }
    assert(record, "the merchant's row is locked");
    await recordAudit(tx, { action: "merchant_create", merchantId: id }, actor);
    return { record, isNew: true };
  });
}

/** The merchant, locked until the transaction ends, or null. Index: merchants_pkey. @throws {DirectoryError} ERASURE_UNDER_WAY */
export async function lockKnown(tx: Queries, id: string) {
  const [row] = await tx<(MerchantAccount & { isErasing: boolean; isErased: boolean })[]>`
    SELECT ${accountColumns(tx)}, erase_requested_at IS NOT NULL AS "isErasing", erased_at IS NOT NULL AS "isErased"
    FROM directory.merchants WHERE id = ${id} FOR NO KEY UPDATE`;
  if (!row) return null;
  const { isErasing, ...merchant } = row;
  if (isErasing) throw erasureUnderWay("merchant", id);
  return merchant;
}

type MerchantChange = Partial<Pick<MerchantAccount, "email" | "name" | "status">>;

/**
 * Changes what differs of normalized values, with its records. `before` is locked. Index: merchants_by_email.
 * @throws {DirectoryError} EMAIL_TAKEN
 */
export async function changeMerchant(
  tx: Queries,
  before: MerchantAccount,
  to: MerchantChange,
  actor: Actor,
): Promise<MerchantAccount> {
  const { id } = before;
  const { email, name, status } = { ...before, ...to };
  const detail = changesOf(before, { email, name });
  const isUpdate = Object.keys(detail).length > 0;
  const isEnd = status === "disabled" && before.status !== status;
  if (!isUpdate && before.status === status) return before;
  const [after] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants
    SET email = ${email}, name = ${name}, status = ${status}, session_epoch = session_epoch + ${isEnd ? 1 : 0}
    WHERE id = ${id} RETURNING ${accountColumns(tx)}`.catch(ifTaken(email));
  assert(after, "the merchant's row is not locked");
  if (isEnd || detail["email"]) await endResetLinks(tx, before.email);
  if (isUpdate) await recordAudit(tx, { action: "merchant_update", merchantId: id, detail }, actor);
  if (before.status !== status) {
    await recordAudit(tx, { action: isEnd ? "merchant_disable" : "merchant_enable", merchantId: id }, actor);
  }
  return after;
}

/** Handles the error of a statement that gives a merchant the address. */
const ifTaken = (email: string) => (error: { readonly code?: string }) => {
  throw error.code === "23505" ? emailTaken(email) : error;
};

export function emailTaken(email: string): DirectoryError {
  return new DirectoryError("EMAIL_TAKEN", `a merchant with the email ${email} exists already`);
}
