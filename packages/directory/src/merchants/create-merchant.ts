import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { lockUnlessErasing } from "../being-erased.ts";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { hashPassword } from "../passwords/password.ts";
import { type PasswordChooser, requirePassword } from "../passwords/password-rule.ts";
import {
  mailResetLink,
  NEW_ACCOUNT_MINUTES,
  replaceResetLinks,
} from "../passwords/set-password.ts";
import { canonicalEmail, normalizeEmail } from "./email.ts";
import { emailTakenError, type Merchant } from "./merchants.ts";

export interface NewMerchant {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** The source of the password. Default: `person`, with stricter rules. */
  readonly passwordFrom?: PasswordChooser;
}

/** An account whose merchant will set the password by a link. */
export interface NewAccount {
  readonly email: string;
  /** Default: the part of the address before the @. */
  readonly name?: string | undefined;
  /** The key of MAIL_KEY_FILE, to mail the link; null to return its token instead. */
  readonly mailKey: string | null;
}

export interface MadeAccount {
  readonly merchant: Merchant;
  /**
   * The token of a single-use link, valid for seven days, of which only the hash is stored. Null if
   * the link is mailed instead.
   */
  readonly token: string | null;
}

/**
 * Creates a merchant with a password. Addresses are unique, ignoring case. Index:
 * merchants_by_email. @throws {DirectoryError} INVALID_EMAIL, INVALID_NAME, INVALID_PASSWORD,
 * EMAIL_TAKEN
 */
export async function createMerchant(
  sql: Sql,
  merchant: NewMerchant,
  actor: Actor,
): Promise<Merchant> {
  const email = normalizeEmail(merchant.email);
  const name = displayName(merchant.name, "merchant");
  await requirePassword(merchant.password, { email, name }, merchant.passwordFrom ?? "person");
  const passwordHash = await hashPassword(merchant.password);
  return await transaction(sql, (tx) => insertMerchant(tx, { email, name, passwordHash }, actor));
}

/**
 * Creates an account without a password, and a link to set one, which is mailed or returned.
 * @throws {DirectoryError} INVALID_EMAIL, INVALID_NAME, EMAIL_TAKEN
 */
export async function createAccount(
  sql: Queries,
  account: NewAccount,
  actor: Actor,
): Promise<MadeAccount> {
  const email = normalizeEmail(account.email);
  const name = displayName(account.name ?? email.slice(0, email.indexOf("@")), "merchant");
  return await transaction(sql, async (tx) => {
    const merchant = await insertMerchant(tx, { email, name, passwordHash: null }, actor);
    if (account.mailKey === null) {
      const { token } = await replaceResetLinks(tx, merchant, actor, NEW_ACCOUNT_MINUTES);
      return { merchant, token };
    }
    await mailResetLink(tx, "new_account", merchant, account.mailKey);
    return { merchant, token: null };
  });
}

/**
 * Returns the merchant with this address, or creates the account that `create` describes. Locks the
 * account, so that a request to erase it waits.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, INVALID_EMAIL, INVALID_NAME, ERASURE_UNDER_WAY
 */
export async function findOrCreateMerchant(
  tx: Queries,
  email: string,
  create: Omit<NewAccount, "email"> | undefined,
  actor: Actor,
): Promise<Pick<MadeAccount, "merchant"> & Partial<MadeAccount>> {
  const [merchant] = await tx<Merchant[]>`
    SELECT id, email, name FROM directory.merchants WHERE lower(email) = ${canonicalEmail(email)} FOR SHARE`;
  if (merchant) {
    await lockUnlessErasing(tx, "merchant", merchant.id);
    return { merchant };
  }
  if (create) return await createAccount(tx, { ...create, email }, actor);
  const problem = `there is no merchant with the email ${JSON.stringify(email)}`;
  throw new DirectoryError("UNKNOWN_MERCHANT", problem);
}

/**
 * Inserts a merchant with validated values. Index: merchants_by_email.
 * @throws {DirectoryError} EMAIL_TAKEN
 */
async function insertMerchant(
  tx: Queries,
  merchant: { readonly email: string; readonly name: string; readonly passwordHash: string | null },
  actor: Actor,
): Promise<Merchant> {
  const { email, name, passwordHash } = merchant;
  const [created] = await tx<Merchant[]>`
    INSERT INTO directory.merchants (email, name, password_hash)
    VALUES (${email}, ${name}, ${passwordHash})
    ON CONFLICT (lower(email)) DO NOTHING
    RETURNING id, email, name`;
  if (!created) throw emailTakenError(email);
  await recordAudit(tx, { action: "merchant_create", merchantId: created.id }, actor);
  return created;
}
