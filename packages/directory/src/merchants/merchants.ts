import assert from "node:assert/strict";
import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Plan } from "@partner-connect/contract";
import {
  type ListPage,
  listPageSql,
  type Queries,
  type Sql,
  transaction,
} from "@partner-connect/database";
import { queueMail } from "@partner-connect/mail";
import { lockUnlessErasing } from "../being-erased.ts";
import { changesOf } from "../changes-of.ts";
import { DirectoryError, erasureUnderWayError, notFromProductError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { canonicalEmail, normalizeEmail } from "./email.ts";

export interface Merchant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** True if the merchant also belongs to a client. Set only for pages. */
  readonly isPartner?: boolean;
}

/** An account with the fields that sessions and sign-ins need. */
export interface MerchantAccount extends Merchant {
  /** A disabled merchant can't sign in and has no session. */
  readonly status: "active" | "disabled";
  /** Incremented to end all sessions: a session with a lower value has ended. */
  readonly sessionEpoch: number;
  /** The language of the pages at the last sign-in; null if unknown. */
  readonly language: string | null;
}

export interface Shop {
  readonly id: string;
  readonly name: string;
  readonly domain: string | null;
  readonly plan: Plan;
}

/**
 * The merchant with this email (in any case), and the hash of the password, null if none is set.
 * Index: merchants_by_email.
 */
export async function findMerchantByEmail(
  sql: Sql,
  email: string,
): Promise<(MerchantAccount & { readonly passwordHash: string | null }) | null> {
  const [row] = await sql<(MerchantAccount & { passwordHash: string | null })[]>`
    SELECT ${accountColumns(sql)}, password_hash AS "passwordHash"
    FROM directory.merchants WHERE lower(email) = ${canonicalEmail(email)}`;
  return row ?? null;
}

/** The merchant, or null. Index: merchants_pkey. */
export async function findMerchant(sql: Sql, id: string): Promise<MerchantAccount | null> {
  const [row] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants WHERE id = ${id}`;
  return row ?? null;
}

/**
 * Like {@link findMerchant}, with `isPartner`, for a page. Indexes: merchants_pkey,
 * client_members_pkey.
 */
export async function findPageMerchant(sql: Sql, id: string): Promise<MerchantAccount | null> {
  const [row] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)}, EXISTS (SELECT FROM directory.client_members c WHERE c.merchant_id = ${id}) AS "isPartner"
    FROM directory.merchants WHERE id = ${id}`;
  return row ?? null;
}

/** SQL for the columns of a {@link MerchantAccount}. */
export function accountColumns(sql: Queries) {
  return sql`id, email, name, status, session_epoch AS "sessionEpoch", language`;
}

/** The shops that the merchant belongs to, by name. Index: memberships_pkey. */
export async function shopsOfMerchant(sql: Sql, merchantId: string): Promise<Shop[]> {
  return await sql<Shop[]>`
    SELECT s.id, s.name, s.domain, s.plan
    FROM directory.memberships m JOIN directory.shops s ON s.id = m.shop_id
    WHERE m.merchant_id = ${merchantId} ORDER BY s.name, s.id`;
}

/**
 * Locks the merchant's row until the transaction ends, and returns it. Every change of an account
 * takes this lock before any other, so that changes don't deadlock. Index: merchants_pkey.
 */
export async function lockMerchant(tx: Queries, id: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    SELECT ${accountColumns(tx)} FROM directory.merchants WHERE id = ${id} FOR NO KEY UPDATE`;
  assert(merchant, "merchants are never deleted");
  return merchant;
}

/**
 * Finds the merchant with this email, in any case, or this id, for operators. Indexes:
 * merchants_by_email, merchants_pkey.
 * @throws {DirectoryError} UNKNOWN_MERCHANT
 */
export async function requireMerchant(sql: Queries, given: string): Promise<MerchantAccount> {
  const isEmail = given.includes("@");
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants
    WHERE ${isEmail ? sql`lower(email) = ${canonicalEmail(given)}` : sql`id = ${given.trim()}`}`;
  if (merchant) return merchant;
  const what = isEmail ? "with the email " : "";
  const problem = `there is no merchant ${what}${JSON.stringify(given)}`;
  throw new DirectoryError("UNKNOWN_MERCHANT", problem);
}

/** Ends all sessions of the merchant. Call it in a transaction that holds the merchant's row. */
export async function raiseSessionEpoch(tx: Queries, id: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${id} RETURNING ${accountColumns(tx)}`;
  assert(merchant, "the merchant's row is locked");
  return merchant;
}

/** A merchant as operators see the account. */
export interface MerchantDetails extends MerchantAccount {
  readonly createdAt: Date;
  /** Null if no password was set since the account's creation. */
  readonly passwordChangedAt: Date | null;
  readonly passkeys: number;
  readonly shops: readonly { readonly id: string; readonly name: string }[];
}

/** Merchants, by id. */
export async function listMerchants(
  sql: Sql,
  { status, ...page }: ListPage & { readonly status?: MerchantAccount["status"] | undefined } = {},
): Promise<MerchantDetails[]> {
  return await sql<MerchantDetails[]>`
    SELECT ${detailColumns(sql)} FROM directory.merchants m WHERE ${status === undefined ? sql`true` : sql`m.status = ${status}`}
    ${listPageSql(sql, page, "m.id", ["m.email", "m.name"])}`;
}

/** Index: merchants_by_email. @throws {DirectoryError} UNKNOWN_MERCHANT */
export async function merchantDetails(sql: Sql, email: string): Promise<MerchantDetails> {
  const { id } = await requireMerchant(sql, email);
  const [merchant] = await sql<MerchantDetails[]>`
    SELECT ${detailColumns(sql)} FROM directory.merchants m WHERE id = ${id}`;
  assert(merchant, "merchants are never deleted");
  return merchant;
}

function detailColumns(sql: Sql) {
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
    await raiseSessionEpoch(tx, merchantId);
    await recordAudit(tx, { action: "merchant_sign_out_everywhere", merchantId }, actor);
  });
}

/** Records a sign-in, and the language of its pages, in which later mails are written. */
export async function storeSignIn(
  tx: Queries,
  { id, language: before }: MerchantAccount,
  language: string,
  detail: { readonly by?: string },
  actor: Actor,
): Promise<void> {
  if (language !== before)
    await tx`UPDATE directory.merchants SET language = ${language} WHERE id = ${id}`;
  await recordAudit(tx, { action: "merchant_sign_in", merchantId: id, detail }, actor);
}

/** Ends all sessions of all merchants. @returns the number of merchants */
export async function endAllSessions(sql: Sql, actor: Actor): Promise<number> {
  return await transaction(sql, async (tx) => {
    const { count } = await tx`UPDATE directory.merchants SET session_epoch = session_epoch + 1`;
    const detail = { merchants: count };
    await recordAudit(tx, { action: "merchant_end_all_sessions", detail }, actor);
    return count;
  });
}

/**
 * Gives a merchant another address to sign in with. Links to reset the password that were sent to
 * the former address end, and it gets a mail; sessions stay valid. A change to the same address
 * changes nothing. Index: merchants_by_email.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, INVALID_EMAIL, EMAIL_TAKEN, ERASURE_UNDER_WAY
 */
export async function updateEmail(sql: Sql, from: string, to: string, actor: Actor) {
  return await changeMerchantByEmail(sql, from, { email: normalizeEmail(to) }, actor);
}

/**
 * Disables or enables a merchant. Disabling ends all sessions and links to reset the password, and
 * prevents sign-ins. The connections that the merchant approved are the shops' and stay.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, ERASURE_UNDER_WAY
 */
export async function setMerchantStatus(
  sql: Sql,
  email: string,
  status: MerchantAccount["status"],
  actor: Actor,
): Promise<MerchantAccount> {
  return await changeMerchantByEmail(sql, email, { status }, actor);
}

async function changeMerchantByEmail(sql: Sql, email: string, to: MerchantChange, actor: Actor) {
  const { id } = await requireMerchant(sql, email);
  return await transaction(sql, async (tx) => {
    const before = await lockMerchant(tx, id);
    await lockUnlessErasing(tx, "merchant", id);
    const after = await changeMerchant(tx, before, to, actor);
    const mail = { merchantId: id, about: { former: before.email } };
    if (after.email !== before.email) await queueMail(tx, { kind: "address_changed", ...mail });
    return after;
  });
}

export interface ProductMerchant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** By default a new merchant is active, and an existing one keeps its status. */
  readonly status?: MerchantAccount["status"] | undefined;
}

/**
 * Creates a merchant of the survey product with this id, without a password or a mail, or changes
 * what differs. Idempotent.
 * @throws {DirectoryError} INVALID_EMAIL, INVALID_NAME, EMAIL_TAKEN, ERASURE_UNDER_WAY,
 * NOT_OF_PRODUCT
 */
export async function putMerchant(
  sql: Sql,
  { id, status, ...given }: ProductMerchant,
  actor: Actor,
): Promise<{ readonly record: MerchantAccount; readonly isNew: boolean }> {
  const wanted = { email: normalizeEmail(given.email), name: displayName(given.name, "merchant") };
  const { email, name } = wanted;
  const put = async (tx: Queries) => {
    let [record] = await tx<MerchantAccount[]>`
      INSERT INTO directory.merchants (id, email, name, status, from_product)
      VALUES (${id}, ${email}, ${name}, ${status ?? "active"}, true)
      ON CONFLICT DO NOTHING RETURNING ${accountColumns(tx)}`;
    if (!record) {
      const known = await lockProductMerchant(tx, id);
      if (!known) throw emailTakenError(email);
      await lockUnlessErasing(tx, "merchant", id);
      const { isErased, isErasing, ...before } = known;
      const to = { ...wanted, ...(status && { status }) };
      if (!isErased) return { record: await changeMerchant(tx, before, to, actor), isNew: false };
      [record] = await tx<MerchantAccount[]>`
        UPDATE directory.merchants
        SET email = ${email}, name = ${name}, status = ${status ?? "active"}, from_product = true, erased_at = NULL
        WHERE id = ${id} RETURNING ${accountColumns(tx)}`.catch(refuseTakenEmail(email));
    }
    assert(record, "the merchant's row is locked");
    await recordAudit(tx, { action: "merchant_create", merchantId: id }, actor);
    return { record, isNew: true };
  };
  try {
    return await transaction(sql, put);
  } catch (error) {
    if (!(error instanceof DirectoryError && error.code === "EMAIL_TAKEN")) throw error;
    const [holder] = await sql<{ id: string; isErasing: boolean }[]>`
      SELECT id, erase_requested_at IS NOT NULL AS "isErasing" FROM directory.merchants
      WHERE lower(email) = lower(${email})`;
    // The holder's erasure has just ended and freed the address.
    if (!holder) return await putMerchant(sql, { id, ...(status && { status }), ...given }, actor);
    throw holder.isErasing ? erasureUnderWayError("merchant", holder.id) : error;
  }
}

/**
 * Locks the survey product's merchant until the transaction ends. Null if there is none.
 * @throws {DirectoryError} NOT_OF_PRODUCT
 */
export async function lockProductMerchant(tx: Queries, id: string) {
  const [row] = await tx<
    (MerchantAccount & Record<"fromProduct" | "isErasing" | "isErased", boolean>)[]
  >`
    SELECT ${accountColumns(tx)}, from_product AS "fromProduct", erase_requested_at IS NOT NULL AS "isErasing",
      erased_at IS NOT NULL AS "isErased"
    FROM directory.merchants WHERE id = ${id} FOR NO KEY UPDATE`;
  if (!row) return null;
  const { fromProduct, ...merchant } = row;
  if (!fromProduct) throw notFromProductError("an operator's account", id);
  return merchant;
}

type MerchantChange = Partial<Pick<MerchantAccount, "email" | "name" | "status">>;

/**
 * Changes the fields that differ from the normalized values, with records. `before` must be locked.
 * Index: merchants_by_email.
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
    WHERE id = ${id} RETURNING ${accountColumns(tx)}`.catch(refuseTakenEmail(email));
  assert(after, "the merchant's row is not locked");
  if (isEnd || detail["email"]) await endResetLinks(tx, id);
  if (isUpdate) await recordAudit(tx, { action: "merchant_update", merchantId: id, detail }, actor);
  if (before.status !== status) {
    const action = isEnd ? "merchant_disable" : "merchant_enable";
    await recordAudit(tx, { action, merchantId: id }, actor);
  }
  return after;
}

/** Replaces a unique violation of a statement that sets an address by EMAIL_TAKEN. */
const refuseTakenEmail = (email: string) => (error: { readonly code?: string }) => {
  throw error.code === "23505" ? emailTakenError(email) : error;
};

export function emailTakenError(email: string): DirectoryError {
  return new DirectoryError("EMAIL_TAKEN", `a merchant with the email ${email} exists already`);
}

/** Ends the merchant's unused password links. The caller's transaction has locked the merchant. */
export async function endResetLinks(tx: Queries, merchantId: string): Promise<void> {
  await tx`
    UPDATE directory.merchant_links SET used_at = now()
    WHERE merchant_id = ${merchantId} AND used_at IS NULL`;
}
