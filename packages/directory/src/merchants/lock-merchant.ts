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

/** The merchant of this email, in any case, for an operator. Index: merchants_by_email. @throws {DirectoryError} UNKNOWN_MERCHANT */
export async function requireMerchant(sql: Queries, email: string): Promise<MerchantAccount> {
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants WHERE lower(email) = ${canonicalEmail(email)}`;
  if (!merchant) {
    throw new DirectoryError("UNKNOWN_MERCHANT", `there is no merchant with the email ${JSON.stringify(email)}`);
  }
  return merchant;
}
