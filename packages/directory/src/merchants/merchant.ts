import assert from "node:assert/strict";
import type { Plan } from "@partner-connect/contract";
import type { Queries, Sql } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { canonicalEmail } from "./email.ts";

export interface Merchant {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Belongs to a client too. Known of who is signed in. */
  readonly isPartner?: boolean;
}

/** A merchant as sessions and sign-ins judge the account. */
export interface MerchantAccount extends Merchant {
  /** A disabled merchant can't sign in and has no session. */
  readonly status: "active" | "disabled";
  /** Raised by whatever ends all sessions. A session that began at another value has ended. */
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

/** The merchant who signs in with `email` (in any case), with the hash of the password; null: none is set. Index: merchants_by_email. */
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
  const [row] = await sql<MerchantAccount[]>`SELECT ${accountColumns(sql)} FROM directory.merchants WHERE id = ${id}`;
  return row ?? null;
}

/** The same for a page, with whether the merchant belongs to a client. Indexes: merchants_pkey, client_members_pkey. */
export async function findReader(sql: Sql, id: string): Promise<MerchantAccount | null> {
  const [row] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)}, EXISTS (SELECT FROM directory.client_members c WHERE c.merchant_id = ${id}) AS "isPartner"
    FROM directory.merchants WHERE id = ${id}`;
  return row ?? null;
}

/** The columns of a {@link MerchantAccount}. */
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
 * The merchant's row, locked until the transaction ends. Whatever changes an account takes this lock before any other, so that no
 * two changes wait for each other. Index: merchants_pkey.
 */
export async function lockMerchant(tx: Queries, id: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    SELECT ${accountColumns(tx)} FROM directory.merchants WHERE id = ${id} FOR NO KEY UPDATE`;
  assert(merchant, "merchants are never deleted");
  return merchant;
}

/**
 * The merchant of this email, in any case, or of this id: for operators. Indexes: merchants_by_email, merchants_pkey.
 * @throws {DirectoryError} UNKNOWN_MERCHANT
 */
export async function requireMerchant(sql: Queries, given: string): Promise<MerchantAccount> {
  const isEmail = given.includes("@");
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants
    WHERE ${isEmail ? sql`lower(email) = ${canonicalEmail(given)}` : sql`id = ${given.trim()}`}`;
  if (merchant) return merchant;
  const what = isEmail ? "with the email " : "";
  throw new DirectoryError("UNKNOWN_MERCHANT", `there is no merchant ${what}${JSON.stringify(given)}`);
}

/** Ends all sessions of the merchant, whose row the transaction has locked. */
export async function raiseEpoch(tx: Queries, id: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${id} RETURNING ${accountColumns(tx)}`;
  assert(merchant, "the merchant's row is locked");
  return merchant;
}
