import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { hashPassword } from "../passwords/password.ts";
import { type PasswordChooser, requirePassword } from "../passwords/password-rule.ts";
import { normalizeEmail } from "./email.ts";
import type { Merchant } from "./merchant.ts";

export interface NewMerchant {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** Default: a person, of whom more is asked. */
  readonly passwordFrom?: PasswordChooser;
}

/**
 * The address belongs to one merchant alone, in upper or lower case. Index: merchants_by_email.
 * @throws {DirectoryError} INVALID_EMAIL, INVALID_NAME, INVALID_PASSWORD, EMAIL_TAKEN
 */
export async function createMerchant(sql: Sql, merchant: NewMerchant, actor: Actor): Promise<Merchant> {
  const email = normalizeEmail(merchant.email);
  const name = displayName(merchant.name, "merchant");
  await requirePassword(merchant.password, { email, name }, merchant.passwordFrom ?? "person");
  const passwordHash = await hashPassword(merchant.password);
  return await transaction(sql, (tx) => insertMerchant(tx, { email, name, passwordHash }, actor));
}

/** Inside a caller's transaction, with what was checked already. Index: merchants_by_email. @throws {DirectoryError} EMAIL_TAKEN */
async function insertMerchant(
  tx: Queries,
  merchant: { readonly email: string; readonly name: string; readonly passwordHash: string },
  actor: Actor,
): Promise<Merchant> {
  const { email, name, passwordHash } = merchant;
  const [created] = await tx<Merchant[]>`
    INSERT INTO directory.merchants (email, name, password_hash)
    VALUES (${email}, ${name}, ${passwordHash})
    ON CONFLICT (lower(email)) DO NOTHING
    RETURNING id, email, name`;
  if (!created) throw new DirectoryError("EMAIL_TAKEN", `a merchant with the email ${email} exists already`);
  await recordAudit(tx, { action: "merchant_create", merchantId: created.id }, actor);
  return created;
}
