import assert from "node:assert/strict";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { queueMail } from "@partner-connect/mail";
import {
  accountColumns,
  lockMerchant,
  type MerchantAccount,
  requireMerchant,
  shopsOfMerchant,
} from "../merchants/merchant.ts";
import { hashPassword } from "./password.ts";
import {
  type PasswordChooser,
  type PasswordOwner,
  type PasswordProblem,
  passwordProblem,
  requirePassword,
} from "./password-rule.ts";

/** The outcome of setting the new password that a merchant chose. */
export type PasswordChange =
  | { readonly outcome: "changed"; readonly merchant: MerchantAccount }
  | { readonly outcome: "refused"; readonly problem: PasswordProblem }
  /** The session or link that allowed the change has ended. */
  | { readonly outcome: "ended" };

/** An operator sets it. Every session and every link to reset it ends. @throws {DirectoryError} UNKNOWN_MERCHANT, INVALID_PASSWORD */
export async function setPassword(
  sql: Sql,
  wanted: { readonly email: string; readonly password: string; readonly passwordFrom: PasswordChooser },
  actor: Actor,
): Promise<MerchantAccount> {
  const merchant = await requireMerchant(sql, wanted.email);
  const shops = await shopsOfMerchant(sql, merchant.id);
  await requirePassword(wanted.password, { ...merchant, shops }, wanted.passwordFrom);
  const passwordHash = await hashPassword(wanted.password);
  return await transaction(sql, async (tx) => {
    const { id } = await lockMerchant(tx, merchant.id);
    await recordAudit(tx, { action: "merchant_set_password", merchantId: id, detail: { by: "operator" } }, actor);
    return await storePassword(tx, id, passwordHash);
  });
}

/**
 * A merchant who is signed in changes it. `merchant` is as the present password was checked against it: if the password has changed
 * since, or the merchant was disabled, nothing happens. The result has the epoch for the one session that continues.
 */
export async function changePassword(
  sql: Sql,
  merchant: MerchantAccount & Pick<PasswordOwner, "product">,
  password: string,
  actor: Actor,
): Promise<PasswordChange> {
  const shops = await shopsOfMerchant(sql, merchant.id);
  const problem = await passwordProblem(password, { ...merchant, shops }, "person");
  if (problem) return { outcome: "refused", problem };
  const passwordHash = await hashPassword(password);
  return await transaction(sql, async (tx): Promise<PasswordChange> => {
    const now = await lockMerchant(tx, merchant.id);
    if (now.status !== "active" || now.sessionEpoch !== merchant.sessionEpoch) return { outcome: "ended" };
    await recordAudit(tx, { action: "merchant_set_password", merchantId: now.id, detail: { by: "change" } }, actor);
    return { outcome: "changed", merchant: await storePassword(tx, now.id, passwordHash) };
  });
}

/**
 * Stores a new password, queues a mail about it, and ends all sessions and all links to reset it. Call it in a transaction that holds the
 * merchant's row. Indexes: merchants_pkey, merchant_links_by_email.
 */
export async function storePassword(tx: Queries, merchantId: string, passwordHash: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants
    SET password_hash = ${passwordHash}, session_epoch = session_epoch + 1, password_changed_at = now()
    WHERE id = ${merchantId} RETURNING ${accountColumns(tx)}`;
  assert(merchant, "the merchant's row is not locked");
  await endResetLinks(tx, merchant.email);
  await queueMail(tx, { kind: "password_changed", merchantId });
  return merchant;
}

/** Ends the links that were not used yet. Inside a transaction that holds the merchant's row. */
export async function endResetLinks(tx: Queries, email: string): Promise<void> {
  await tx`
    UPDATE directory.merchant_links SET used_at = now()
    WHERE email = ${email} AND used_at IS NULL`;
}
