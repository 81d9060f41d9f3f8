import assert from "node:assert/strict";
import type { Queries } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { canonicalEmail } from "./email.ts";
import { accountColumns, type MerchantAccount } from "./merchant.ts";

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
