import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { queueMail, type Source } from "@partner-connect/mail";
import { lockUnlessErasing } from "../being-erased.ts";
import { hashCredential, newCredential } from "../credentials.ts";
import { DirectoryError } from "../directory-error.ts";
import {
  accountColumns,
  endResetLinks,
  lockMerchant,
  type Merchant,
  type MerchantAccount,
  requireMerchant,
  shopsOfMerchant,
} from "../merchants/merchants.ts";
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

/**
 * For operators: sets a merchant's password, and ends every session and reset link. @throws
 * {DirectoryError} UNKNOWN_MERCHANT, INVALID_PASSWORD, ERASURE_UNDER_WAY
 */
export async function setPassword(
  sql: Sql,
  wanted: Readonly<Record<"email" | "password", string>> & { passwordFrom: PasswordChooser },
  actor: Actor,
): Promise<MerchantAccount> {
  const merchant = await requireMerchant(sql, wanted.email);
  const shops = await shopsOfMerchant(sql, merchant.id);
  await requirePassword(wanted.password, { ...merchant, shops }, wanted.passwordFrom);
  const passwordHash = await hashPassword(wanted.password);
  return await transaction(sql, async (tx) => {
    const { id } = await lockMerchant(tx, merchant.id);
    await lockUnlessErasing(tx, "merchant", id);
    const detail = { by: "operator" };
    await recordAudit(tx, { action: "merchant_set_password", merchantId: id, detail }, actor);
    return await storeAndSignOut(tx, merchant, passwordHash);
  });
}

/**
 * Changes the password of a signed-in merchant. `merchant` is the account whose current password
 * was checked; "ended" if all its sessions have ended since then. Returns the account with the
 * epoch for the session that stays signed in.
 */
export async function changePassword(
  sql: Sql,
  merchant: PasswordMerchant,
  password: string,
  actor: Actor,
): Promise<PasswordChange> {
  return await setNewPassword(sql, merchant, password, "change", actor, async (_tx, now) => {
    return now.sessionEpoch === merchant.sessionEpoch;
  });
}

/**
 * Sets the password by the link, which is used up in the same transaction. If the password is
 * refused, the link stays valid. The merchant is the actor; `from` is where the request came from.
 * `language` is the page's, for the mail to a merchant who has not signed in yet.
 */
export async function resetPassword(
  sql: Sql,
  token: string,
  password: string,
  from: Omit<Actor, "name">,
  page: Pick<PasswordMerchant, "product" | "source"> & { readonly language?: string } = {},
): Promise<PasswordChange> {
  const found = await findResetLink(sql, token);
  if (!found) return { outcome: "ended" };
  const actor = { ...from, name: `merchant:${found.id}` };
  const useLink = async (tx: Queries, { id, email }: MerchantAccount) => {
    const { count } = await tx`
      UPDATE directory.merchant_links SET used_at = now()
      WHERE token_hash = ${hashCredential(token)} AND merchant_id = ${id} AND email = ${email}
        AND used_at IS NULL AND expires_at > now()`;
    return count === 1;
  };
  const merchant = { ...found, ...page, language: found.language ?? page.language ?? null };
  return await setNewPassword(sql, merchant, password, "reset_link", actor, useLink);
}

interface PasswordMerchant extends MerchantAccount, Pick<PasswordOwner, "product"> {
  readonly source?: Source;
}

/**
 * Sets the password if it meets the rules, the merchant is active, and `isAllowed`, which gets the
 * locked account, returns true.
 */
async function setNewPassword(
  sql: Sql,
  merchant: PasswordMerchant,
  password: string,
  by: "change" | "reset_link",
  actor: Actor,
  isAllowed: (tx: Queries, now: MerchantAccount) => Promise<boolean>,
): Promise<PasswordChange> {
  const shops = await shopsOfMerchant(sql, merchant.id);
  const problem = await passwordProblem(password, { ...merchant, shops }, "person");
  if (problem) return { outcome: "refused", problem };
  const passwordHash = await hashPassword(password);
  return await transaction(sql, async (tx): Promise<PasswordChange> => {
    const now = await lockMerchant(tx, merchant.id);
    if (now.status !== "active" || !(await isAllowed(tx, now))) return { outcome: "ended" };
    const detail = { by };
    await recordAudit(tx, { action: "merchant_set_password", merchantId: now.id, detail }, actor);
    return { outcome: "changed", merchant: await storeAndSignOut(tx, merchant, passwordHash) };
  });
}

/**
 * Stores a new password, queues a mail about it, and ends all sessions and all links to reset it.
 * Call it in a transaction that holds the merchant's row. Indexes: merchants_pkey,
 * merchant_links_by_merchant.
 */
async function storeAndSignOut(tx: Queries, before: PasswordMerchant, passwordHash: string) {
  const [merchant] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants
    SET password_hash = ${passwordHash}, session_epoch = session_epoch + 1, password_changed_at = now()
    WHERE id = ${before.id} RETURNING ${accountColumns(tx)}`;
  assert(merchant, "the merchant's row is not locked");
  await endResetLinks(tx, before.id);
  const about = { language: before.language, ...before.source };
  await queueMail(tx, { kind: "password_changed", merchantId: before.id, about });
  return merchant;
}

/** The page that a link opens; its parameter `link` is the token. */
export const RESET_PASSWORD_PATH = "/oauth/password/reset";

const RESET_MINUTES = 30;
/** Lifetime of a new account's first link: longer, because the recipient doesn't expect it. */
export const NEW_ACCOUNT_MINUTES = 7 * 24 * 60;

export interface ResetLink {
  readonly merchant: Merchant;
  /** The link's token. Only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Creates a link that sets a new password once, within 30 minutes. Earlier links end.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, MERCHANT_DISABLED
 */
export async function createResetLink(sql: Sql, email: string, actor: Actor): Promise<ResetLink> {
  const { id } = await requireMerchant(sql, email);
  return await transaction(sql, async (tx) => {
    const merchant = await lockMerchant(tx, id);
    if (merchant.status === "disabled") {
      const problem = `${merchant.email} is disabled: enable the merchant first`;
      throw new DirectoryError("MERCHANT_DISABLED", problem);
    }
    return await replaceResetLinks(tx, merchant, actor);
  });
}

/**
 * Ends the merchant's links, and creates one that is valid for `minutes`, with a record. Call it in
 * a transaction that has locked the merchant's row.
 */
export async function replaceResetLinks(
  tx: Queries,
  merchant: Merchant,
  actor: Actor,
  minutes = RESET_MINUTES,
): Promise<ResetLink> {
  const token = newCredential("pcl");
  await endResetLinks(tx, merchant.id);
  const [link] = await tx<{ expiresAt: Date }[]>`
    INSERT INTO directory.merchant_links (token_hash, merchant_id, email, expires_at)
    VALUES (${hashCredential(token)}, ${merchant.id}, ${merchant.email}, now() + make_interval(mins => ${minutes}))
    RETURNING expires_at AS "expiresAt"`;
  assert(link, "an insert returned no row");
  await recordAudit(tx, { action: "merchant_reset_link", merchantId: merchant.id }, actor);
  return { merchant, token, expiresAt: link.expiresAt };
}

/**
 * Derives the token of a mailed link from its id. The mail's job has only the id, so neither a dump
 * nor the queue contains a working link; the worker derives the token when it sends the mail.
 */
export function mailedToken(mailKey: string, linkId: string): string {
  return `pcl_${createHmac("sha256", mailKey).update(linkId).digest("base64url")}`;
}

/**
 * Stores a link that sets the password, and queues its mail. If `merchant` is null, because there is
 * no such account, it does the same work without a mail. Earlier links stay valid.
 */
export async function mailResetLink(
  sql: Queries,
  kind: keyof typeof MAILED_MINUTES,
  merchant: Pick<Merchant, "id" | "email"> | null,
  mailKey: string,
): Promise<void> {
  const link = randomBytes(16).toString("base64url");
  await sql`
    INSERT INTO directory.merchant_links (token_hash, merchant_id, email, expires_at)
    VALUES (${hashCredential(mailedToken(mailKey, link))}, ${merchant?.id ?? ""}, ${merchant?.email ?? ""}, now() + make_interval(mins => ${MAILED_MINUTES[kind]}))`;
  await queueMail(sql, merchant ? { kind, merchantId: merchant.id, link } : { kind: "none", link });
}

const MAILED_MINUTES = { new_account: NEW_ACCOUNT_MINUTES, reset_password: RESET_MINUTES };

/**
 * Finds the merchant whose password the link can set, without using it up. Null if there is none, or
 * the link was sent to a former address. Indexes: merchant_links_pkey, merchants_pkey.
 */
export async function findResetLink(sql: Sql, token: string): Promise<MerchantAccount | null> {
  const [merchant] = await sql<MerchantAccount[]>`
    SELECT ${accountColumns(sql)} FROM directory.merchants
    WHERE status = 'active' AND (id, email) = (
      SELECT merchant_id, email FROM directory.merchant_links
      WHERE token_hash = ${hashCredential(token)} AND used_at IS NULL AND expires_at > now())`;
  return merchant ?? null;
}
