import type { Sql } from "@partner-connect/database";
import { DirectoryError } from "./directory-error.ts";
import { displayName } from "./display-name.ts";
import { normalizeEmail } from "./email.ts";
import type { Merchant } from "./merchant.ts";
import { hashPassword } from "./password.ts";
import { type PasswordChooser, requirePassword } from "./password-rule.ts";

export interface NewMerchant {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** Default: a person, of whom more is asked. */
  readonly passwordFrom?: PasswordChooser;
}

/** Refuses an email address that another merchant has, in upper or lower case. Index: merchants_by_email. */
export async function createMerchant(sql: Sql, merchant: NewMerchant): Promise<Merchant> {
  const email = normalizeEmail(merchant.email);
  const name = displayName(merchant.name, "merchant");
  await requirePassword(merchant.password, { email, name }, merchant.passwordFrom ?? "person");
  const [created] = await sql<Merchant[]>`
    INSERT INTO directory.merchants (email, name, password_hash)
    VALUES (${email}, ${name}, ${await hashPassword(merchant.password)})
    ON CONFLICT (lower(email)) DO NOTHING
    RETURNING id, email, name`;
  if (!created) throw new DirectoryError("EMAIL_TAKEN", `a merchant with the email ${email} exists already`);
  return created;
}
